// A step of a lesson: a move that is pointed out is sent, the answer takes the place of the page,
// and what leads on has the focus. Without it every move is typed, every step a link.

import { Board } from "./board.js";
import { Keys } from "./keys.js";
import { go } from "./navigation.js";

let place = null;

function attach() {
  const figure = document.querySelector(".lesson figure.live");
  if (figure && figure !== place) {
    place = figure;
    new Keys(place, place.dataset.moves ? new Board(place) : null);
  }
  document.querySelector("[data-ahead]")?.focus();
}

document.addEventListener("board:move", ({ detail }) => {
  const field = document.getElementById("move");
  field.value = detail.move;
  field.form.requestSubmit();
});
document.addEventListener("sarsen:swapped", attach);
addEventListener("popstate", () => go(location.href, ""));
attach();
