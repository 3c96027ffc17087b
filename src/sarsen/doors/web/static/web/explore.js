// Explores a board without loading anew: taps play for both sides, arrow keys walk the tree,
// forms are sent in place. Every step is a link or a form, too.

import { Board } from "./board.js";
import { Keys } from "./keys.js";
import { Looks } from "./looks.js";
import { stepping } from "./steps.js";
import { showPage, visit } from "./visits.js";

const BESIDE = { ArrowUp: "up", ArrowDown: "down" };
const TYPING = "input, textarea, select, table";
let place = null;
let board = null;

function attach() {
  const found = document.querySelector("[data-explore]");
  if (!found || found === place) return;
  board?.detach();
  board = null;
  place = found;
  if (!place.querySelector("svg.board")) return;
  const looks = new Looks(place, () => board?.show());
  if (!place.dataset.moves) return;
  board = new Board(place);
  Object.defineProperty(board, "zoom", { get: () => looks.zoom });
  new Keys(board);
  place.addEventListener("board:move", ({ detail }) => tryMove(detail.move));
}

function tryMove(move) {
  const adding = document.getElementById("adding");
  if (!("keeps" in place.dataset)) return go(`${place.dataset.try}&${new URLSearchParams({ try: move })}`);
  const said = new FormData(adding);
  said.set("moves", move);
  return send(adding.action, said);
}

async function go(address, how = "push") {
  try {
    const isShown = await visit(address, how);
    settle();
    return isShown;
  } catch {
    return lost();
  }
}

async function send(address, said) {
  try {
    const answer = await fetch(address, { method: "POST", body: said, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector("[data-explore]")) return location.assign(answer.url);
    if (answer.ok) history.pushState({ visited: true }, "", answer.url);
    const note = page.querySelector(".done");
    showPage(page);
    tell(note);
    settle();
    return true;
  } catch {
    return lost();
  }
}

// What a form has done is said where it is heard.
function tell(note) {
  document.querySelector(".done")?.remove();
  if (note) document.getElementById("main").prepend(note);
}

// Where the place is in the tree comes into sight, and under the keys that walked there.
function settle() {
  const current = document.querySelector(".branches [aria-current]");
  const list = current?.closest(".branches");
  if (list) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  document.querySelector("[role=alert][autofocus]")?.focus();
}

function lost() {
  const told = place.querySelector(".pointed");
  if (told) {
    told.textContent = told.dataset.lost;
    told.hidden = false;
  }
  board?.reset();
  return false;
}

stepping({ root: () => document, go: (address) => go(address) });

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!(key in BESIDE) || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (target.closest?.(TYPING)) return;
  const link = document.querySelector(`a[data-beside="${BESIDE[key]}"]`);
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest(".branches a, .heading .state a, .cells a, [data-part] a[data-inplace]");
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-inplace]");
  if (!form) return;
  event.preventDefault();
  const said = new FormData(form, event.submitter);
  if (form.method === "post") send(form.action, said);
  else go(`${form.getAttribute("action")}?${new URLSearchParams(said)}`);
});

addEventListener("popstate", () => go(location.href, ""));
document.addEventListener("sarsen:swapped", attach);
attach();
settle();
