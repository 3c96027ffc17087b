// Keeps a page new: asks whether something has happened, brings the board or the list up to
// date, and says in the title how many boards wait. The server answers when there is news, while
// somebody looks; else the page asks now and then, for the number in the title. Times left are counted each minute, silently.

import { fill, isPlain, keepZone, link, make } from "./elements.js";
import { get, isBusy, showPage } from "./navigation.js";

const HIDDEN = 120; // seconds between two questions of a page in the background
const HELD = 40_000; // milliseconds within which the server answers, with or without news
const LONGEST = 300; // seconds between two questions when there is no answer
const SAID = 10_000; // milliseconds that a sentence stands
const SOON = 1000; // milliseconds within which a page does not ask twice
const MINUTE = 60_000; // milliseconds
const facts = document.body.dataset; // they change when another page is swapped in
const marks = document.documentElement.dataset;
const notice = document.getElementById("told");
let pause = 0.2; // seconds; the first answer sets it
let askedAt = performance.now();
let asking = Promise.resolve();
let question = new AbortController();
let lastStamp = ""; // of a page that shows none
let timer = 0;
let sayTimer = 0;
let offered = null; // the board beside which a link to a newer one stands

function askLater() {
  clearTimeout(timer);
  if (!navigator.onLine) return; // an event announces the connection
  if (document.hidden && !facts.player) return; // a visitor's title says nothing
  const wait = document.hidden ? Math.max(pause, HIDDEN) : pause;
  const next = () => (asking = asking.then(() => askNow(!document.hidden)));
  timer = setTimeout(next, wait * 1000 * (0.9 + 0.2 * Math.random()));
}

// Asks for an answer at once. What an earlier question brings is shown first: a page that comes
// late takes no words away.
export function ask() {
  question.abort();
  asking = asking.then(() => askNow(false));
  return asking;
}

async function askNow(waits) {
  if (!facts.news || !notice) return;
  clearTimeout(timer);
  askedAt = performance.now();
  question = new AbortController();
  const { signal } = question;
  if (waits) timer = setTimeout(() => question.abort(), HELD);
  try {
    const address = waits ? `${facts.news}?seen=${facts.stamp ?? lastStamp}` : facts.news;
    const answer = await fetch(address, { cache: "no-store", signal });
    if (answer.status === 410) {
      // A page that was kept for long asks no more; it is loaded as usual.
      if (marks.kept && !isBusy()) location.reload();
      return;
    }
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    showCount(news.waiting);
    if ("stamp" in facts && news.stamp !== facts.stamp) await bringUpToDate(news.stamp);
    delete marks.kept; // it is as new as the server now
    lastStamp = news.stamp;
    pause = news.pause;
  } catch {
    if (!signal.aborted) pause = Math.min(Math.max(pause, 1) * 2, LONGEST);
  }
  askLater();
}

// Shows what has happened. A part stays as it is while somebody is at it, and the board when
// only the chat has changed.
async function bringUpToDate(stamp) {
  const { href } = location;
  const isTalk = gameOf(stamp) === gameOf(facts.stamp);
  if (facts.past && !isTalk) return offer("further", facts.last, stamp);
  const isOlder = Boolean(offered?.isConnected); // its own address may be refused by now
  const isHere = facts.past || (isTalk && !isOlder) || !facts.last;
  const { page, isRefused } = await get(isHere ? href : facts.last);
  if (isRefused) throw new Error(href);
  if (location.href !== href) return; // another page is shown now, which may be newer
  const before = boardState();
  const isAsked = document.querySelector("[data-asked]");
  const kept = showPage(page, (part) => isBusy(part) || (isTalk && part.dataset.part === "picture"));
  const isOld = !isTalk && kept.some((part) => !part.querySelector("textarea:focus"));
  if (isOld) return offer("changed", facts.last || href, facts.stamp);
  // Who asked for a game and waits for the answer is taken to its board.
  const begun = isAsked && !isBusy() && document.querySelector("a[data-begun]");
  if (begun) return location.assign(begun.href);
  const now = boardState();
  const words = newsWords(before, now);
  // The heading shows the move of a game that goes on: then only screen readers are told.
  const isShown = words === now.said && document.querySelector(".state .did") && !document.querySelector(".ended");
  if (!isOlder) say(isShown ? make("span", { className: "unseen" }, words) : words);
  // What this player did before is no news any more.
  for (const note of isTalk ? [] : document.querySelectorAll(".says .done")) note.hidden = true;
}

// Returns the stamp of a board without that of its chat; see board_stamp() in live_updates.py.
const gameOf = (stamp) => stamp.replace(/-\d+-/, "-");

function say(content) {
  notice.replaceChildren(content);
  clearTimeout(sayTimer);
  const words = notice.textContent;
  sayTimer = setTimeout(() => notice.textContent === words && notice.replaceChildren(), SAID);
}

// Returns what a page says about its board: the move shown, the number of moves, the question
// that is asked, what it means when that is gone, and the last line of the chat.
function boardState() {
  const read = (selector) => document.querySelector(selector)?.textContent.trim().replace(/\s+/g, " ") || "";
  const { said = "", ply = 0, turn = "" } = document.querySelector("[data-said]")?.dataset || {};
  const chat = `${read(".talk li:last-child strong")} ${read(".talk li:last-child .bubble")}`;
  const gone = document.querySelector("[data-gone]")?.dataset.gone.trim() || "";
  return { said, ply: Number(ply), turn, offer: read(".ask h2, .ended [data-begun]"), gone, chat };
}

function newsWords(before, now) {
  if (now.ply < before.ply) return now.turn; // moves were taken back
  if (now.said !== before.said) return now.said;
  if (now.offer !== before.offer) return now.offer || before.gone;
  return now.chat === before.chat ? "" : now.chat;
}

// Says that there is something newer, and where.
function offer(kind, href, stamp) {
  const newerLink = link(notice.dataset[`${kind}Link`], href);
  newerLink.className = "button plain";
  notice.replaceChildren(make("p", {}, make("span", {}, ...fill(notice.dataset[kind])), " ", newerLink));
  facts.stamp = stamp; // this is shown
  offered = document.querySelector('[data-part="picture"]');
}

function showCount(waiting) {
  if (waiting === null) return;
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting ? `(${waiting}) ${title}` : title;
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = waiting;
    place.hidden = !waiting;
  }
  const icon = document.querySelector('link[rel="icon"][data-idle]');
  const href = icon?.dataset[waiting ? "waiting" : "idle"];
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

function resume() {
  question.abort();
  if (!document.hidden && performance.now() - askedAt > SOON) ask();
  else askLater();
}

// `4 d`, `1 d 6 h`, `20 m`; beside days no minutes; with the units of the server.
function timeLeft(minutes, units) {
  const days = Math.floor(minutes / 1440);
  const counts = [days, Math.floor(minutes / 60) % 24, days ? 0 : minutes % 60];
  return units
    .split(" ")
    .flatMap((unit, at) => (counts[at] ? `${counts[at]} ${unit}` : []))
    .join(" ");
}

function tick() {
  if (document.hidden || marks.kept) return;
  for (const place of document.querySelectorAll("time[data-left]")) {
    const minutes = Math.floor((new Date(place.dateTime) - Date.now()) / MINUTE);
    const left = minutes > 0 ? timeLeft(minutes, place.dataset.units) : place.dataset.none;
    const text = place.dataset.left.replace("{left}", left);
    if (place.textContent !== text) place.textContent = text;
  }
}

// The key n goes to the next board that waits, and ? shows all keys.
function pressKey(event) {
  const { key } = event;
  if (!["n", "?"].includes(key) || !isPlain(event) || event.repeat) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [role=grid]")) return;
  if (key === "?") return document.getElementById("keys")?.showPopover();
  const next = document.querySelector("a[data-next]");
  if (next) location.assign(next.href);
}

// Enter sends what is said, Shift and Enter break the line; the key that ends a word of Chinese or
// Japanese sends nothing.
function sendOnEnter(event) {
  const { key, target } = event;
  if (key !== "Enter" || event.shiftKey || !isPlain(event) || event.isComposing) return;
  if (!target.matches("textarea[data-enter]")) return;
  event.preventDefault();
  if (!event.repeat && target.value.trim()) target.form.requestSubmit();
}

keepZone();
setInterval(tick, MINUTE / 4);
document.addEventListener("visibilitychange", tick);
if (facts.news && notice) {
  addEventListener("keydown", pressKey);
  addEventListener("keydown", sendOnEnter);
  document.addEventListener("sarsen:swapped", () => offered?.isConnected || notice.replaceChildren());
  document.addEventListener("visibilitychange", resume);
  addEventListener("online", resume);
  addEventListener("pagehide", () => question.abort());
  addEventListener("pageshow", (event) => event.persisted && resume());
  askLater();
}
