// The pages of a board and of its variations: a move that was pointed out is looked at, and then
// played or changed, or tried on; all of it without loading anew. Every step is a link, too.

import { Board, uncover, withPicture } from "./board.js";
import { button, isPlain } from "./elements.js";
import { Keys } from "./keys.js";
import { go, visit } from "./navigation.js";
import { spotsOf } from "./spots.js";
import { View } from "./view.js";

const MAX_OTHERS = 6;
const TWICE = 450; // milliseconds within which a second click belongs to the first
let place = null;
let board = null;
let shownList = null; // the list of moves
let others = []; // moves that only another last tap would have made
let laid = []; // the pieces of a tray that stood before the move shown was clear
let focused = null; // the refusal that has had the focus
let lastMove = { taps: [], due: [] }; // the taps of the move shown, and those that may still come
let clicked = -TWICE; // when the board was last clicked

function attach() {
  const alert = document.querySelector("[role=alert][autofocus]");
  if (alert && alert !== focused) alert.focus();
  focused = alert;
  showCurrent();
  const picture = document.querySelector(".picture[data-part]");
  if (!picture || picture === place) return;
  place = picture;
  board = null;
  if (!place.querySelector("svg.board")) return;
  const view = new View(place, () => board?.show());
  if (place.dataset.moves) makePointable(view);
  new Keys(place, board);
  if (place.dataset.back) offerOthers();
  const deciding = place.querySelector(".deciding");
  if (deciding) uncover(view.svg, deciding);
}

// Scrolls a new list of moves, and nothing else, to the one that is shown: sideways on a phone, in
// its sheet beside a board.
function showCurrent() {
  const current = document.querySelector(":is(.moves, .branches) [aria-current]");
  const list = current?.closest(".moves, .branches");
  if (!list || list === shownList) return;
  shownList = list;
  for (const frame of [list, list.closest(".sheet")].filter(Boolean)) {
    const [{ x, y }, from] = [current, frame].map((element) => element.getBoundingClientRect());
    frame.scrollBy(x - from.x - frame.clientWidth / 2, y - from.y - frame.clientHeight / 2);
  }
}

function makePointable(view) {
  board = new Board(place, view);
  const current = board;
  current.ready.then(() => current.resume(laid.splice(0)));
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
  lastMove = detail;
  if (board.landings.length) laid = taps.slice(0, -1);
  if (!place.dataset.try) return ask(move);
  others = detail.others.map((other) => ({ ...other, address: tried(other.move) }));
  try {
    if (!(await visit(tried(move), "replace"))) board?.reset();
  } catch {
    ask(move, place.querySelector(".pointed").dataset.lost);
  }
}

// Where nothing is tried before it is played, the move is only written down. So it is without a
// connection: what is sent then is kept by the worker.
function ask(move, sentence = "") {
  const field = document.getElementById("move");
  field.value = move;
  const sendButton = [...field.form.elements].find((element) => element.value.includes(" move "));
  board.choose([move], sentence, undefined, () => sendButton.click());
}

// Lets one look at the moves beside the one shown, such as the other rotations of a tile. Where
// there are many, such as the places for a ring, their buttons would cover the board.
function offerOthers() {
  const row = place.querySelector(".others");
  if (!row || others.length < 2 || others.length > MAX_OTHERS) return;
  const current = new URLSearchParams(location.search).get("try");
  for (const { move, picture, address } of others) {
    const other = withPicture(button(move, () => go(address, "replace")), picture);
    other.setAttribute("aria-pressed", move === current);
    row.append(other);
  }
  row.hidden = false;
}

function change() {
  others = [];
  return go(place.dataset.back, "replace");
}

// Another place that is tapped begins another move; a tap of the move shown only takes it back.
async function point(event) {
  const { clientX, clientY } = event;
  const isSecond = performance.now() - clicked < TWICE;
  clicked = performance.now();
  if (isSecond || !place.dataset.back) return;
  const { taps, due } = lastMove;
  const spots = spotsOf(place);
  const isOf = (some) => Boolean(spots.meant(clientX, clientY, new Set(some)));
  if (isOf(due)) return;
  const isOver = isOf(taps);
  if ((await change()) && !isOver) board?.point(event);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.shiftKey || !isPlain(event)) return;
  if (event.target.closest(".picture svg.board")) return point(event);
  if (!event.target.closest("a[data-change]")) return;
  event.preventDefault();
  change();
});

// The step back from the page that follows leads to the board, not to a move played since.
document.addEventListener("submit", ({ target }) => {
  if (target.closest(".deciding")) history.replaceState(history.state, "", place.dataset.back);
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.target.closest?.("dialog")) return;
  if (place?.dataset.back) change();
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
