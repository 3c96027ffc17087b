// Boards that nobody keeps: moves are pointed out and stepped through in their place, on rules
// pages and on the page to try a game. Without it every step is a link, every move a form.

import { Board } from "./board.js";

const STEPS = 'nav a[rel~="prev"], nav a[rel~="next"], nav a[rel~="first"], nav a[rel~="last"]';
const boards = new WeakMap();

async function show(figure, address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector("figure.live");
  if (!found) throw new Error(address);
  boards.get(figure)?.detach();
  if (figure.closest(".tryout")) turn(page, answer.url);
  else exchange(figure, found);
}

// On its own page all that speaks of the board changes with it, and so does the address.
function turn(page, address) {
  history.pushState(null, "", address);
  document.title = page.title;
  const main = document.querySelector("main");
  main.replaceChildren(...page.querySelector("main").childNodes);
  const figure = main.querySelector("figure.live");
  attach(figure);
  figure.scrollIntoView({ block: "nearest" });
}

// On a page of rules the board alone changes; labels must lead to its own fields there.
function exchange(figure, found) {
  for (const part of found.querySelectorAll("[id], [for], [list]")) {
    for (const name of ["id", "for", "list"]) {
      const value = part.getAttribute(name);
      if (value) part.setAttribute(name, value.replace(found.id, figure.id));
    }
  }
  const text = figure.querySelector("figcaption > details");
  const held = document.activeElement?.getAttribute("rel");
  for (const name of ["moves", "reason"]) {
    if (name in found.dataset) figure.dataset[name] = found.dataset[name];
    else delete figure.dataset[name];
  }
  figure.replaceChildren(...found.childNodes);
  if (text) figure.querySelector("figcaption").append(text);
  if (held) figure.querySelector(`nav a[rel="${held}"]`)?.focus();
  attach(figure);
}

function attach(figure) {
  if (!figure.dataset.moves) return;
  boards.set(figure, new Board(figure));
}

function go(figure, address) {
  show(figure, address).catch(() => location.assign(address));
}

function play(figure, form) {
  go(figure, `${form.action}?${new URLSearchParams(new FormData(form))}`);
}

document.addEventListener("click", (event) => {
  const step = event.target.closest(STEPS);
  const figure = step && step.closest("figure.live");
  if (!figure || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(figure, step.getAttribute("href"));
});

document.addEventListener("submit", (event) => {
  const figure = event.target.closest("figure.live");
  if (!figure) return;
  event.preventDefault();
  play(figure, event.target);
});

document.addEventListener(
  "board:move",
  ({ target, detail }) => {
    const form = target.querySelector("form");
    form.elements.move.value = detail.move;
    play(target, form);
  },
  { capture: true },
);

addEventListener("popstate", () => location.reload());

// A rules page has many boards: the moves of each are asked for when it comes into sight.
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    attach(target);
  }
});
document.querySelectorAll("figure.live").forEach((figure) => seen.observe(figure));
