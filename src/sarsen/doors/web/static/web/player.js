// Plays a record that another site frames by itself. Without it the links step.

import { make } from "./elements.js";
import { step } from "./navigation.js";

const PAUSE = 1200; // milliseconds a position is shown
const main = document.querySelector("main");
const keys = main.dataset.keys.split(" ");
const button = make("button", { onclick: press });
let isPlaying = false;
let timer = 0;

async function play(relation) {
  const isShown = await step(`a[rel="${relation}"]`);
  if (!isShown) stop();
  else if (isPlaying) timer = setTimeout(play, PAUSE, "next");
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
  play(main.querySelector('a[rel="next"]') ? "next" : "first");
}

main.addEventListener("click", stop);
addEventListener("keydown", ({ key }) => keys.includes(key) && stop());

if (main.querySelector("a[rel=next], a[rel=first]")) {
  stop();
  document.body.append(button);
}
