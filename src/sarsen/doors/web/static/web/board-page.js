// The pages of a board and of its variations: a move that was pointed out is looked at, and then
// played or changed, or tried on; all of it without loading anew. Every step is a link, too.

import { Board, uncover } from "./board.js";
import { button, isPlain } from "./elements.js";
import { Keys } from "./keys.js";
import { go, visit } from "./navigation.js";
import { View } from "./view.js";

const MOST_OTHERS = 6;
let place = null;
let board = null;
let shown = null; // the list of moves
let others = []; // moves that only another last tap would have made
let laid = []; // the pieces of a tray that stood before the move shown was clear
let focused = null; // the refusal that has had the focus
let isEarly = false; // the move shown was clear before its last tap, which may still come

function attach() {
  const alert = document.querySelector("[role=alert][autofocus]");
  if (alert && alert !== focused) alert.focus();
  focused = alert;
  showCurrent();
  const found = document.querySelector(".picture[data-part]");
  if (!found || found === place) return;
  place = found;
  board = null;
  if (!place.querySelector("svg.board")) return;
  const view = new View(place, () => board?.show());
  if (place.dataset.moves) makePointable(view);
  if (place.dataset.back) offerOthers();
  const deciding = place.querySelector(".deciding");
  if (deciding) uncover(view.svg, deciding);
}

// Scrolls a new list of moves, and nothing else, to the one that is shown.
function showCurrent() {
  const current = document.querySelector(":is(.moves, .branches) [aria-current]");
  const list = current?.closest(".moves, .branches");
  if (!list || list === shown) return;
  shown = list;
  const below = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop += below - list.clientHeight / 2;
}

function makePointable(view) {
  board = new Board(place, view);
  new Keys(board);
  const made = board;
  made.ready.then(() => made.resume(laid.splice(0)));
  place.addEventListener("board:move", "explore" in place.dataset ? tryOn : look);
}

function tryOn({ detail }) {
  const field = document.getElementById("moves");
  field.value = detail.move;
  field.form.requestSubmit();
}

function tried(move) {
  const { try: address, due } = place.dataset;
  return `${address}?${new URLSearchParams({ try: move, due })}`;
}

async function look({ detail }) {
  const { move, taps } = detail;
  isEarly = detail.isEarly;
  if (board.landings.length) laid = taps.slice(0, -1);
  if (!place.dataset.try) return ask(move);
  others = detail.others.map((one) => ({ move: one, address: tried(one) }));
  try {
    if (!(await visit(tried(move)))) board?.reset();
  } catch {
    ask(move, place.querySelector(".pointed").dataset.lost);
  }
}

// Where nothing is tried before it is played, the move is only written down. So it is without a
// connection: what is sent then is kept by the worker.
function ask(move, said = "") {
  const field = document.getElementById("move");
  field.value = move;
  const sending = [...field.form.elements].find((one) => one.value.includes(" move "));
  board.choose([move], said, undefined, () => sending.click());
}

// Lets one look at the moves beside the one shown, such as the other rotations of a tile. Where
// there are many, such as the places for a ring, their buttons would cover the board.
function offerOthers() {
  const row = place.querySelector(".others");
  if (!row || others.length < 2 || others.length > MOST_OTHERS) return;
  const shown = new URLSearchParams(location.search).get("try");
  for (const { move, address } of others) {
    const other = button(move, () => go(address, "replace"));
    other.setAttribute("aria-pressed", move === shown);
    row.append(other);
  }
  row.hidden = false;
}

function change() {
  [others, isEarly] = [[], false];
  if (history.state?.visited) history.back();
  else go(place.dataset.back, "replace");
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.shiftKey || !isPlain(event)) return;
  const link = event.target.closest("a[data-change], .picture[data-back] svg.board");
  if (!link || (isEarly && link.matches("svg"))) return;
  event.preventDefault();
  change();
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented && place?.dataset.back) change();
});

// What the back button brings may have been kept, and the game gone on since.
function lookAgain() {
  if (place?.dataset.back) go(location.href, "");
}

document.addEventListener("sarsen:swapped", attach);
attach();
addEventListener("popstate", () => go(location.href, ""));
addEventListener("pageshow", (event) => event.persisted && lookAgain());
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") lookAgain();
