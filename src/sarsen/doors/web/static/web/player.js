// Plays a record that another site frames by itself. Without it the links step.

import { make } from "./elements.js";
import { step } from "./navigation.js";

const PAUSE = 1200; // milliseconds a position is shown
const main = document.querySelector("main");
const keys = main.dataset.keys.split(" ");
const button = make("button", { onclick: press });
let isPlaying = false;
let timer = 0;

// What is next is asked when all steps before are shown; from the end it begins anew.
async function play(isBeginning) {
  const isShown = (await step('a[rel="next"]')) || (isBeginning && (await step('a[rel="first"]')));
  if (!isShown) stop();
  else if (isPlaying) timer = setTimeout(play, PAUSE, false);
}

function stop() {
  clearTimeout(timer);
  isPlaying = false;
  button.textContent = main.dataset.play;
}

function press() {
  if (isPlaying) return stop();
  isPlaying = true;
  button.textContent = main.dataset.stop;
  play(true);
}

main.addEventListener("click", stop);
addEventListener("keydown", ({ key }) => keys.includes(key) && stop());

if (main.querySelector("a[rel=next], a[rel=first]")) {
  stop();
  document.body.append(button);
}
