// Goes to other pages of a board without loading anew: fetches one and swaps its parts in.
// The address and the back button follow, and nothing that was typed is lost.

import { swapIn } from "./swap.js";

const FRESH = 20_000; // milliseconds; so long a page that was fetched ahead is as good as new
const ahead = new Map(); // by address
const facts = ["news", "stamp", "last", "past"]; // of the body, about what is shown
let latest = 0;

// Shows the page of an address; `how` is "push", "replace", or "" when the address is there.
// Gives false when a later visit has overtaken this one, or the page is loaded as usual.
export async function visit(address, how = "push", credentials = "same-origin") {
  const turn = (latest += 1);
  const page = await pageOf(address, credentials);
  if (turn !== latest) return false;
  if (!isLike(page)) {
    location.assign(address);
    return false;
  }
  if (how) history[`${how}State`](how === "push" ? { visited: true } : history.state, "", address);
  showPage(page);
  return true;
}

// Fetches a page that will probably be visited.
export function fetchAhead(address) {
  const known = ahead.get(address);
  if (known && performance.now() - known.at < FRESH) return;
  const page = get(address, "same-origin");
  page.catch(() => ahead.delete(address));
  ahead.set(address, { page, at: performance.now() });
}

// Puts the parts of a fetched page in place of those shown, and keeps what is typed.
export function showPage(page) {
  keepTyped();
  document.title = page.title;
  for (const fact of facts) {
    if (fact in page.body.dataset) document.body.dataset[fact] = page.body.dataset[fact];
    else delete document.body.dataset[fact];
  }
  swapIn(page);
  restoreTyped();
}

const FIELDS = "[data-part] input[id]:not([type=hidden]), [data-part] textarea[id]";
const fields = () => document.querySelectorAll(FIELDS);
const sent = new WeakSet(); // forms

// What is typed into a field, at a board and by a player, is kept in this tab until it is sent.
function nameOf(field) {
  const { last = location.pathname, player = "" } = document.body.dataset;
  return `typed:${player}:${last}:${field.id}`;
}

function keepTyped() {
  for (const field of fields()) {
    if (field.value === field.defaultValue || sent.has(field.form)) sessionStorage.removeItem(nameOf(field));
    else sessionStorage.setItem(nameOf(field), field.value);
  }
}

function restoreTyped() {
  for (const field of fields()) {
    const typed = sessionStorage.getItem(nameOf(field));
    if (typed !== null && field.value === field.defaultValue) field.value = typed;
  }
}

document.addEventListener("submit", ({ target }) => sent.add(target));
addEventListener("pagehide", keepTyped);
restoreTyped();

async function pageOf(address, credentials) {
  const known = ahead.get(address);
  ahead.clear(); // what is shown next makes the others old
  if (known && performance.now() - known.at < FRESH) return known.page;
  return get(address, credentials);
}

async function get(address, credentials) {
  // While a page loads that the back button brings, a browser takes others from its cache, too.
  const cache = credentials === "omit" ? "default" : "no-cache";
  const answer = await fetch(address, { cache, credentials, headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Tells whether a page has the same parts, for the same player.
function isLike(page) {
  const name = (one) => one.body.dataset.player || "";
  return Boolean(page.querySelector("[data-part]")) && name(page) === name(document);
}
