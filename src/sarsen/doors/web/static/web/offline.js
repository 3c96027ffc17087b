// Lets the pages be read without a connection: starts the worker, has it keep the boards of a
// list, and says since when a page has not been brought up to date. Moves that were made without
// a connection were kept by the worker. Here they are sent, once: the token of a form is the name
// of a request, and a board that has gone on refuses it.

import { fill, link, make, parsePage, untilDone } from "./elements.js";
import { ask } from "./live.js";

const QUEUE = "queue";
const BOX = "/do/";
const OWNER = "/kept/owner"; // whose pages are kept; see worker.js
const SECRET = "csrfmiddlewaretoken";
const NEED_LOGIN = ["who-speaks", "session-over"];
const { player } = document.body.dataset;
const { dataset: marks, lang } = document.documentElement;
const notice = document.getElementById("told");
let sending = null;

async function begin() {
  showSince();
  await showQueued(player);
  // On the first visit no worker has seen this page come: it is kept, too.
  const isFirst = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register("/worker.js", { scope: "/" });
  const { active } = await navigator.serviceWorker.ready;
  await send();
  const links = [...document.querySelectorAll("a[data-keep]")];
  const keep = links.map((anchor) => ({ path: anchor.pathname, event: anchor.dataset.keep }));
  if (isFirst) keep.unshift({ path: location.pathname, event: "" });
  if (keep.length && !marks.kept) active.postMessage({ keep });
}

function showSince() {
  const place = document.querySelector(".since");
  if (!place || !marks.kept) return;
  const at = new Date(Number(marks.kept));
  // English pages write days first, and 24 hours.
  const words = at.toLocaleString(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  const time = make("time", { dateTime: at.toISOString() }, words);
  place.replaceChildren(...fill(place.dataset.words, { time }));
}

// Returns the moves that wait.
async function queued() {
  const queue = await caches.open(QUEUE);
  const reading = (await queue.keys()).map(async (key) => {
    const form = new URLSearchParams(await (await queue.match(key)).text());
    const line = [form.get("line"), ...form.getAll("rest")].join(" ").trim();
    const [, board, move] = form.has("command")
      ? ["", form.get("board"), form.get("text")]
      : /(\d+)#\d+ (.*)$/.exec(line) || ["", "", ""];
    return { key, form, board, move, player: form.get("as") };
  });
  return Promise.all(reading);
}

// Shows the moves of a player; of others only that there are some: they may use this browser, too.
async function showQueued(owner) {
  const moves = await queued();
  const own = moves.filter((move) => move.player === owner);
  for (const move of own) tell("queued", move);
  if (own.length < moves.length) tell("others", {});
}

// Sends what waits; while the server does not answer, again and again.
function send() {
  const trying = () => navigator.locks.request(QUEUE, trySending);
  sending ||= untilDone(trying).finally(() => (sending = null));
  return sending;
}

// Sends the moves of this player in turn, in one window at a time; returns whether all is done.
async function trySending() {
  const queue = await caches.open(QUEUE);
  const moves = (await queued()).filter((move) => move.player === player);
  const results = [];
  let isAway = false;
  for (const move of moves) {
    const result = await post(move.form);
    isAway = result.how === "away";
    if (isAway) break;
    results.push({ ...move, ...result });
    if (result.how !== "login") await queue.delete(move.key);
  }
  if (results.length) {
    await ask(); // first the board becomes new: what a page says by itself is cleared then
    notice?.replaceChildren();
    for (const result of results) tell(result.how, result);
  }
  return !isAway;
}

// Sends the form of a move, and returns how it went: sent, refused, login, or away. A log-in makes
// the secret of earlier forms worthless: the refusal brings a new one, for one more trial.
async function post(form, isAgain = false) {
  const headers = { "Sarsen-Queued": "yes" };
  const answer = await fetch(BOX, { method: "POST", body: form, headers }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  if (typeof text !== "string" || answer.status >= 500) return { how: "away" };
  const page = parsePage(text);
  const textOf = (selector) => page.querySelector(selector)?.textContent.trim() || "";
  const fresh = page.querySelector(`[name="${SECRET}"]`);
  if (answer.status === 403 && fresh && !isAgain) {
    form.set(SECRET, fresh.value);
    return post(form, true);
  }
  const refusal = page.querySelector(".refusal");
  const isRefused = Boolean(refusal);
  const needsLogin = NEED_LOGIN.includes(refusal?.dataset.code);
  if (answer.status === 403 || needsLogin) return { how: "login", text: "" };
  if (isRefused) return { how: "refused", text: textOf(".refusal p") };
  return answer.ok ? { how: "sent", text: textOf(".done") } : { how: "refused", text: textOf("h1") };
}

function tell(kind, { move, board, text = "" }) {
  if (!notice) return;
  const { dataset: words } = notice;
  const parts = {
    move: make("code", {}, move),
    board: link(fill(words.board, { board }).join(""), `/boards/${board}/`),
    text,
    login: link(words.loginLink, words.loginPath),
  };
  notice.append(make("p", {}, make("span", {}, ...fill(words[kind], parts))));
}

// On the page that stands in for one that is not kept: lists the boards that are.
async function listKept(list) {
  const pages = await caches.open("pages");
  for (const { url } of (await pages.keys()).reverse()) {
    const { pathname } = new URL(url);
    if (!/^\/boards\/\d+\/$/.test(pathname)) continue;
    const text = await (await pages.match(pathname)).text();
    const heading = parsePage(text).querySelector("h1");
    list.append(make("li", {}, link(heading.textContent, pathname)));
  }
}

// Loads the page that was asked for as soon as the worker gets it.
async function comeBack() {
  const headers = { Accept: "text/html", "Sarsen-Background": "yes" };
  const answer = await fetch(location.href, { headers }).catch(() => null);
  if (answer) location.reload();
  return Boolean(answer);
}

const list = document.getElementById("kept");
if (list && "caches" in window) {
  listKept(list);
  const owner = caches.match(OWNER).then((kept) => kept?.text());
  owner.then(showQueued);
  if (!("posted" in marks)) untilDone(comeBack); // a form would be sent again
}

if ("serviceWorker" in navigator && player) {
  addEventListener("online", () => send().catch(() => {}));
  begin().catch(() => {}); // a browser that keeps nothing shows pages all the same
} else if (!list && "caches" in window) {
  showQueued("").catch(() => {}); // as after log-out
}
