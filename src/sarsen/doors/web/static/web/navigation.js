// Goes to other pages without loading anew: fetches one and puts its parts (`data-part`) in place of
// those shown. The address and the back button follow, and nothing that was typed is lost.
//
// So do the links and forms of places with `data-inplace`; "replace" adds no step to the history.
// A place with `data-alone` changes by itself, and no address does. `data-keys` has the keys that
// step through the links of a record. With `data-anonymous` no cookie is sent.

import { isPlain, make, parsePage, recall, remember } from "./elements.js";

const FACTS = ["news", "stamp", "last", "past"]; // of the body, about what is shown
const FIELDS = "[data-part] input[id]:not([type=hidden]), [data-part] textarea[id]";
const TYPING = "input, textarea, select, table[data-cells], [contenteditable], [role=grid], [role=toolbar], dialog";
const CHANGED =
  "[data-busy], .tried, main :is(select, [type=checkbox], [type=radio]:not([name=sheet])):is(:user-valid, :user-invalid)";
const STEPS = {
  ArrowLeft: 'a[rel~="prev"]',
  ArrowRight: 'a[rel~="next"]',
  Home: 'a[rel~="first"]',
  End: 'a[rel~="last"]',
  ArrowUp: 'a[data-beside="up"]',
  ArrowDown: 'a[data-beside="down"]',
};
const facts = document.body.dataset;
const sent = new WeakSet(); // forms
let latest = 0;
let steps = Promise.resolve();
let waiting = 0; // steps that are not shown yet

// Shows the page of an address; `how` is "push", "replace", or "" when the address is there.
// Returns false when a later visit has overtaken this one, or the page is loaded as usual.
export async function visit(address, how = "push", { alone, body } = {}) {
  const turn = (latest += 1);
  const { page, url, isRefused } = await get(address, body);
  if (turn !== latest) return false;
  if ("posted" in page.documentElement.dataset) throw new Error(url); // the worker's answer
  if (!isLike(page, alone)) {
    const answer = body && page.querySelector("[data-answer]");
    if (answer) showOver(answer, page.querySelector("h1").textContent.trim());
    else location.assign(url);
    return false;
  }
  if (alone) {
    exchange(alone, page.querySelector("figure.live"));
    return true;
  }
  const state = how === "push" ? { visited: true } : history.state;
  if (how && !(body && isRefused)) history[`${how}State`](state, "", url);
  showPage(page);
  if (body) {
    document.querySelector(".done")?.remove();
    const note = page.querySelector(".done");
    if (note) (document.querySelector(".says") || document.getElementById("main")).prepend(note);
  }
  return true;
}

// Does the same, and says it on the page when the server does not answer.
export async function go(address, how, { alone, body } = {}) {
  try {
    return await visit(address, how, { alone, body });
  } catch {
    document.dispatchEvent(new CustomEvent("sarsen:lost"));
    const notice = (alone || document).querySelector(".pointed") || document.getElementById("told");
    if (notice) {
      notice.textContent = notice.dataset.lost;
      notice.hidden = false;
    }
    return false;
  }
}

// Follows the link that a selector finds when all steps before are shown; false without such a one.
export function step(selector) {
  waiting += 1;
  const result = steps.then(() => {
    const link = document.querySelector(selector);
    return link ? follow(link) : false;
  });
  steps = result.finally(() => (waiting -= 1));
  return result;
}

// Puts the parts of a fetched page in place of those shown, and keeps what is typed. Parts that
// are to be kept stay as they are, and are returned.
export function showPage(page, isKept = () => false) {
  keepTyped();
  document.title = page.title;
  for (const fact of FACTS) {
    if (fact in page.body.dataset) facts[fact] = page.body.dataset[fact];
    else delete facts[fact];
  }
  const parts = [...document.querySelectorAll("[data-part]")];
  const kept = parts.filter(isKept);
  for (const part of parts) {
    const newPart = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (kept.includes(part)) continue;
    if (!newPart) part.replaceChildren();
    else if (newPart.innerHTML !== part.innerHTML) swap(part, newPart);
  }
  restoreTyped();
  document.dispatchEvent(new CustomEvent("sarsen:swapped"));
  return kept;
}

// Tells whether somebody types or tries something in a part that a newer one would take away.
export function isBusy(part = document.body) {
  if (part.matches(CHANGED) || part.querySelector(CHANGED)) return true;
  // What was typed is put back after a swap; but no letter is lost while somebody types on.
  const field = document.activeElement;
  const isField = part.contains(field) && field.matches("main :is(input, textarea)");
  return isField && field.value !== field.defaultValue;
}

// Puts a newer part in place of one, with the same parts unfolded and the same thing in focus.
function swap(part, newPart) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const newDetails = newPart.querySelectorAll("details");
  const oldDetails = part.querySelectorAll("details");
  if (newDetails.length === oldDetails.length) {
    oldDetails.forEach((details, at) => (newDetails[at].open = details.open));
  }
  part.replaceWith(document.adoptNode(newPart));
  const rel = focused?.getAttribute("rel");
  const target = rel ? newPart.querySelector(`[rel="${rel}"]`) : focused?.id && document.getElementById(focused.id);
  if (target) target.focus({ preventScroll: true });
}

// Shows over the page what a form was answered with: a question, or why it was refused.
function showOver(answer, ariaLabel) {
  const dialog = make("dialog", { ariaLabel, onclose: () => dialog.remove() }, document.adoptNode(answer));
  dialog.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    dialog.close();
  });
  // Esc answers a question with no: else the question would stay open on the server.
  dialog.addEventListener("cancel", (event) => {
    const no = dialog.querySelector("[data-no]");
    if (no) event.preventDefault();
    no?.click();
  });
  document.body.append(dialog);
  dialog.showModal();
}

// Shows a part of another page over this one, such as the rules over a board.
async function peek(link) {
  const { page } = await get(link.href);
  const part = page.querySelector(link.dataset.over);
  if (!part) throw new Error(link.href);
  const isKnown = (sheet) => document.querySelector(`link[href="${sheet.getAttribute("href")}"]`);
  part.append(...[...page.querySelectorAll("link[rel=stylesheet]")].filter((sheet) => !isKnown(sheet)));
  showOver(part, link.textContent.trim());
}

// On a page of rules one board of several changes; labels must lead to its own fields there.
function exchange(figure, newFigure) {
  const { id } = newFigure;
  for (const part of [newFigure, ...newFigure.querySelectorAll("[id], [for], [list]")]) {
    for (const name of ["id", "for", "list"]) {
      const value = part.getAttribute(name);
      if (value) part.setAttribute(name, value.replace(id, figure.id));
    }
  }
  newFigure.dataset.alone = "";
  const text = figure.querySelector("figcaption > details");
  if (text) newFigure.querySelector("figcaption").append(text);
  swap(figure, newFigure);
  document.dispatchEvent(new CustomEvent("sarsen:swapped"));
}

// Tells whether a page has the same parts, for the same player.
function isLike(page, alone) {
  if (alone) return Boolean(page.querySelector("figure.live"));
  const isPart = Boolean(page.querySelector("[data-part]"));
  return isPart && (page.body.dataset.player || "") === (facts.player || "");
}

// Fetches a page. What a form has done is told by the answer to it, or by the next page that is
// loaded: not by one that another tab fetches meanwhile.
export async function get(address, body) {
  const isAnonymous = "anonymous" in facts;
  const headers = { Accept: "text/html" };
  if (!body) headers["Sarsen-Background"] = "yes";
  const answer = await fetch(address, {
    method: body ? "POST" : "GET",
    body,
    // While a page loads that the back button brings, a browser takes others from its cache, too.
    cache: isAnonymous ? "default" : "no-cache",
    credentials: isAnonymous ? "omit" : "same-origin",
    headers,
  });
  return { page: parsePage(await answer.text()), url: answer.url || address, isRefused: !answer.ok };
}

function follow(link) {
  const alone = link.closest("[data-alone]");
  return go(link.getAttribute("href"), historyOf(link), { alone });
}

const historyOf = (element) => element.closest("[data-inplace]").dataset.inplace || "push";

// What is typed into a field, at a board and by a player, is kept in this tab until it is sent.
function nameOf(field) {
  const { last = location.pathname, player = "" } = facts;
  return `typed:${player}:${last}:${field.id}`;
}

function keepTyped() {
  for (const field of document.querySelectorAll(FIELDS)) {
    const isDone = field.value === field.defaultValue || sent.has(field.form);
    remember(nameOf(field), isDone ? null : field.value);
  }
}

function restoreTyped() {
  for (const field of document.querySelectorAll(FIELDS)) {
    const typed = recall(nameOf(field));
    if (typed !== null && field.value === field.defaultValue) field.value = typed;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-over]");
  if (!link || event.defaultPrevented || event.button || event.shiftKey || !isPlain(event)) return;
  event.preventDefault();
  peek(link).catch(() => location.assign(link.href));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-inplace] a:not([target])");
  if (!link || event.defaultPrevented || event.button || event.shiftKey || !isPlain(event)) return;
  event.preventDefault();
  const selector = Object.values(STEPS).find((candidate) => link.matches(candidate));
  const alone = link.closest("[data-alone]");
  if (!selector) follow(link);
  else step(alone ? `#${alone.id} ${selector}` : selector);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  sent.add(form);
  if (event.defaultPrevented || !form.closest("[data-inplace]")) return;
  event.preventDefault();
  const alone = form.closest("[data-alone]");
  const fields = new FormData(form, event.submitter);
  const action = form.getAttribute("action");
  if (form.method === "post") go(action, historyOf(form), { alone, body: fields });
  else go(`${action}?${new URLSearchParams(fields)}`, historyOf(form), { alone });
});

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.shiftKey || !isPlain(event) || event.defaultPrevented || target.closest?.(TYPING)) return;
  const keys = document.querySelector("[data-keys]")?.dataset.keys.split(" ") || [];
  if (!keys.includes(key) || !(waiting || document.querySelector(STEPS[key]))) return;
  event.preventDefault();
  // A key held down goes no faster than the pages come.
  if (!event.repeat || !waiting) step(STEPS[key]);
});

addEventListener("pagehide", keepTyped);
restoreTyped();
