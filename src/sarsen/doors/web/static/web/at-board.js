// The page of a board: a move that was pointed out is looked at, and then played or changed;
// the record is stepped through; all of it without loading anew. Every step is a link, too.

import { Board } from "./board.js";
import { Keys } from "./keys.js";
import { Looks } from "./looks.js";
import { Spots } from "./spots.js";
import { stepping } from "./steps.js";
import { uncover } from "./pointed.js";
import { say } from "./told.js";
import { fetchAhead, visit } from "./visits.js";

const MOST_AHEAD = 6; // moves that may be looked at next, fetched before they are asked for
let place = null;
let board = null;
let others = []; // moves that only another last tap would have made
let laid = []; // the pieces of a tray that stood before the move shown was clear
let isEarly = false; // the move shown was clear before its last tap, which may still come

function attach() {
  const found = document.querySelector(".picture[data-part]");
  if (!found || found === place) return;
  board?.detach();
  board = null;
  place = found;
  const looks = new Looks(place, () => board?.show());
  if (place.dataset.moves) board = pointable(looks);
  if (place.dataset.back) offerOthers();
  const deciding = place.querySelector(".deciding");
  if (deciding) uncover(looks.svg, deciding);
  showRefused(looks.svg);
  showCurrent();
}

// Scrolls the list of moves, and nothing else, to the one that is shown.
function showCurrent() {
  const current = document.querySelector(".moves [aria-current]");
  const list = current && current.closest(".moves");
  if (!list) return;
  const below = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop += below - list.clientHeight / 2;
}

function pointable(looks) {
  const made = new Board(place);
  Object.defineProperty(made, "zoom", { get: () => looks.zoom });
  new Keys(made);
  made.ready.then(() => made.resume(laid.splice(0)));
  place.addEventListener("board:move", ({ detail }) => {
    isEarly = detail.isEarly;
    if (made.landings.length) laid = detail.taps.slice(0, -1);
    look(detail.move, detail.others);
  });
  place.addEventListener("board:taps", ({ detail }) => {
    if (!detail.taps.length || detail.moves.length > MOST_AHEAD || !place.dataset.try) return;
    detail.moves.forEach((move) => fetchAhead(tried(place.dataset, move)));
  });
  return made;
}

function tried({ try: address, due }, move) {
  return `${address}?${new URLSearchParams({ try: move, due })}`;
}

async function look(move, rest) {
  const field = document.getElementById("move");
  if (!place.dataset.try) return ask(move, field);
  others = rest.map((one) => ({ move: one, address: tried(place.dataset, one) }));
  try {
    if (!(await visit(tried(place.dataset, move)))) board?.reset();
  } catch {
    ask(move, field, place.querySelector(".pointed").dataset.lost);
  }
}

// Where nothing is tried before it is played, the move is only written down. So it is without a
// connection: what is sent then is kept by the worker.
function ask(move, field, said = "") {
  field.value = move;
  const button = [...field.form.elements].find((one) => one.value.includes(" move "));
  board.told.choose([move], () => button.click(), said);
}

// Lets one look at the moves beside the one shown, such as the other rotations of a tile. Where
// there are many, such as the places for a ring, their buttons would cover the board.
function offerOthers() {
  const row = place.querySelector(".others");
  if (!row || others.length < 2 || others.length > MOST_AHEAD) return;
  const shown = new URLSearchParams(location.search).get("try");
  const buttons = others.map(({ move, address }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = move;
    button.setAttribute("aria-pressed", move === shown);
    button.addEventListener("click", () => go(address, "replace"));
    fetchAhead(address);
    return button;
  });
  row.append(...buttons);
  row.hidden = false;
}

// Marks the spots that a refused move names.
function showRefused(svg) {
  const refusal = place.querySelector(".refusal[data-typed]");
  if (!refusal) return;
  const spots = new Spots(svg);
  const words = refusal.dataset.typed.split(/[^A-Za-z0-9]+/);
  const named = words.flatMap((word) => [word, word.toUpperCase(), word.toLowerCase()]);
  spots.sign("refused", new Set(named.filter((word) => spots.places.has(word))), 0.42);
  refusal.scrollIntoView({ block: "nearest" });
}

async function go(address, how = "push") {
  try {
    return await visit(address, how);
  } catch {
    sayLost();
    return false;
  }
}

function sayLost() {
  const pointed = place.querySelector(".pointed");
  if (pointed) {
    pointed.textContent = pointed.dataset.lost;
    pointed.hidden = false;
    return;
  }
  const told = document.getElementById("told");
  told?.replaceChildren();
  if (told) say(told, "lost");
}

function change() {
  [others, isEarly] = [[], false];
  if (history.state?.visited) history.back();
  else go(place.dataset.back, "replace");
}

stepping({
  root: () => document,
  go: (address) => go(address, "replace"),
  keys: ["ArrowLeft", "ArrowRight"], // the others scroll the page
});
addEventListener("popstate", () => go(location.href, ""));
document.addEventListener("sarsen:swapped", attach);

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest(".moves a, a[data-change], .picture[data-back] svg.board");
  if (!link || (isEarly && link.closest("svg.board"))) return;
  event.preventDefault();
  if (link.closest(".moves")) go(link.getAttribute("href"), "replace");
  else change();
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || !place?.dataset.back) return;
  change();
});

// What the back button brings may have been kept, and the game gone on since.
function lookAgain() {
  if (place?.dataset.back) go(location.href, "");
}

attach();
addEventListener("pageshow", (event) => event.persisted && lookAgain());
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") lookAgain();
