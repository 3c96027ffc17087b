// Boards that nobody keeps: moves are pointed out on rules pages and on the page to try a game.
// Without it every step is a link, every move a form.

import { Board } from "./board.js";
import { go } from "./navigation.js";

const attached = new WeakSet(); // figures

// A rules page has many boards: the moves of each are asked for when it comes into sight.
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    new Board(target);
  }
});

function attach() {
  for (const figure of document.querySelectorAll("figure.live[data-moves]")) {
    if (!attached.has(figure)) observer.observe(figure);
    attached.add(figure);
  }
}

document.addEventListener("board:move", ({ target, detail }) => {
  const { move } = target.querySelector("form").elements;
  move.value = detail.move;
  move.form.requestSubmit();
});

document.addEventListener("sarsen:swapped", () => {
  document.querySelector(".tryout figure.live")?.scrollIntoView({ block: "nearest" });
  attach();
});
attach();
if (document.querySelector(".tryout")) addEventListener("popstate", () => go(location.href, ""));
