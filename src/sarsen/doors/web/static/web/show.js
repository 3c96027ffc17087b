// Plays the game of the home page once, by itself; a button stops it. Without it the last position
// stands still, as it does at first for people who want less motion.

import { make } from "./elements.js";

const PAUSE = 1200; // milliseconds a position is shown
const figure = document.querySelector(".show[data-ply]");
const last = Number(figure?.dataset.ply);
const button = make("button", { type: "button", className: "plain", onclick: press });
const images = figure?.querySelectorAll("picture > *");
let ply = last;
let timer = 0;

const at = (address, number) => address.replace(/\/\d+(-[^/]*)$/, `/${number}$1`);

async function play() {
  const ownTimer = timer;
  ply = ply < last ? ply + 1 : 0;
  const next = new Image();
  next.src = at(figure.querySelector("img").currentSrc, ply);
  try {
    await next.decode();
  } catch {
    return timer === ownTimer && stop(); // no connection
  }
  if (timer !== ownTimer) return; // it was stopped, and perhaps begun anew
  show();
  if (ply === last) stop();
  else timer = setTimeout(play, PAUSE);
}

function show() {
  for (const image of images) {
    const name = image.src ? "src" : "srcset";
    image[name] = at(image[name], ply);
  }
  figure.querySelector("[data-shown]").textContent = ply;
}

function start() {
  button.textContent = figure.dataset.stop;
  timer = setTimeout(play, PAUSE);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  button.textContent = figure.dataset.play;
}

function press() {
  if (timer) stop();
  else start();
}

if (figure) {
  figure.querySelector("figcaption").append(button);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) stop();
  else start();
  addEventListener("visibilitychange", () => document.hidden && stop());
}
