// Lets the pages be read without a connection: starts the worker, has it keep the boards of a
// list, sends what waited when the connection is back, and says what of this is going on.

import { queued, sendQueued } from "./queue.js";
import { filled, link, say } from "./told.js";

const root = document.documentElement;

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

async function send() {
  const sent = await sendQueued(document.body.dataset.player);
  if (!sent.length) return;
  const here = document.getElementById("told");
  document.dispatchEvent(new CustomEvent("sarsen:ask"));
  // Not before the board is new: what a page says by itself is cleared then.
  setTimeout(() => {
    here.replaceChildren();
    for (const one of sent) tell(here, one.how, one);
  }, 1500);
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
  // Here a reload shows what was asked for; after a form it would send that again.
  addEventListener("online", () => "posted" in root.dataset || location.reload());
}

if ("serviceWorker" in navigator && document.body.dataset.player) {
  addEventListener("online", () => send().catch(() => {}));
  begin().catch(() => {}); // a browser that keeps nothing shows pages all the same
}
