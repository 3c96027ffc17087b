// Lets the pages be read without a connection: starts the worker, has it keep the boards of a
// list, sends what waited when the connection is back, and says what of this is going on.

import { link, untilDone } from "./make.js";
import { ask } from "./live.js";
import { queued, sendQueued } from "./queue.js";
import { filled, say } from "./told.js";

const root = document.documentElement;
let sending = null;

async function begin() {
  showKept();
  showWaiting(await queued());
  // On the first visit no worker has seen this page come: it is kept, too.
  const isFirst = !navigator.serviceWorker.controller;
  const registration = await navigator.serviceWorker.register("/worker.js", { scope: "/" });
  await navigator.serviceWorker.ready;
  await send();
  const wanted = [...document.querySelectorAll("a[data-keep]")].map((link) => ({
    path: link.pathname,
    event: link.dataset.keep,
  }));
  if (isFirst) wanted.unshift({ path: location.pathname, event: document.body.dataset.stamp || "" });
  if (wanted.length && !root.dataset.kept) registration.active.postMessage({ keep: wanted });
}

// Says since when a page that comes from this device has not been brought up to date.
function showKept() {
  const place = document.querySelector(".since");
  if (!place || !root.dataset.kept) return;
  const at = new Date(Number(root.dataset.kept));
  const time = document.createElement("time");
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
  place.replaceChildren(...filled(place.dataset.words, { time }));
}

async function listKept(list) {
  const pages = await caches.open("pages");
  for (const { url } of (await pages.keys()).reverse()) {
    const { pathname } = new URL(url);
    if (!/^\/boards\/\d+\/$/.test(pathname)) continue;
    const text = await (await pages.match(pathname)).text();
    const heading = new DOMParser().parseFromString(text, "text/html").querySelector("h1");
    const row = document.createElement("li");
    row.append(link(heading.textContent, pathname));
    list.append(row);
  }
}

function showWaiting(moves) {
  const here = document.getElementById("told");
  const { player } = document.body.dataset;
  for (const move of here ? moves : []) {
    const isOwn = !player || move.player === player;
    tell(here, isOwn ? "queued" : "others", move);
  }
}

// Sends what waits; while the server does not answer, again and again.
function send() {
  sending ||= untilDone(trySending).finally(() => (sending = null));
  return sending;
}

async function trySending() {
  const results = await sendQueued(document.body.dataset.player);
  const answered = results.filter((one) => one.how !== "away");
  const here = document.getElementById("told");
  if (here && answered.length) {
    await ask(); // first the board becomes new: what a page says by itself is cleared then
    here.replaceChildren();
    for (const one of answered) tell(here, one.how, one);
  }
  return answered.length === results.length;
}

// Loads the page that was asked for as soon as the worker gets it.
async function comeBack() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer) location.reload();
  return Boolean(answer);
}

function tell(here, kind, { move, board, player, text = "" }) {
  const code = document.createElement("code");
  code.textContent = move;
  say(here, kind, {
    move: code,
    board: link(filled(here.dataset.board, { board }).join(""), `/boards/${board}/`),
    text,
    player,
    login: link(here.dataset.loginLink, here.dataset.loginPath),
  });
}

const list = document.getElementById("kept");
if (list && "caches" in window) {
  listKept(list);
  queued().then(showWaiting);
  // After a form it would be sent again.
  if (!("posted" in root.dataset)) untilDone(comeBack);
}

if ("serviceWorker" in navigator && document.body.dataset.player) {
  addEventListener("online", () => send().catch(() => {}));
  begin().catch(() => {}); // a browser that keeps nothing shows pages all the same
}
