// Steps through a record that another site frames, and plays it by itself. The links work without.

import { stepping } from "./steps.js";
import { visit } from "./visits.js";

const PAUSE = 1200; // milliseconds a position is shown while the game plays itself
const main = document.querySelector("main");
const button = document.createElement("button");
let isPlaying = false;
let timer = 0;

const { step, link } = stepping({ root: () => main, go, onEnd: stop, onHand: stop });

async function go(address, waiting) {
  await visit(address, "replace", "omit");
  if (isPlaying && waiting === 1) timer = setTimeout(step, PAUSE, "next");
}

function stop() {
  clearTimeout(timer);
  isPlaying = false;
  button.textContent = main.dataset.play;
}

function play() {
  if (isPlaying) return stop();
  isPlaying = true;
  button.textContent = main.dataset.stop;
  step("next", "first");
}

if (link("next") || link("first")) {
  stop();
  button.addEventListener("click", play);
  document.body.append(button);
}
