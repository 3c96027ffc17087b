// Keeps a page new: asks whether something has happened, brings the board or the list up to
// date, and says in the title how many boards wait. Nothing is asked while nobody looks, but
// now and then for the number in the title.

import "./clock.js";
import { link } from "./make.js";
import { say as sayFrom } from "./told.js";
import { isBusy, showPage } from "./visits.js";

const HIDDEN = 120; // seconds between two questions of a page in the background
const LONGEST = 300; // seconds between two questions when there is no answer
const SAID = 10_000; // milliseconds that a sentence stands
const SOON = 1000; // milliseconds within which a page does not ask twice
const facts = document.body.dataset; // they change when another page is swapped in
const told = document.getElementById("told");
const title = () => document.title.replace(/^\(\d+\) /, "");
let pause = 2; // seconds; the first answer says better
let asked = performance.now();
let timer = 0;
let saying = 0;

function askIn(seconds) {
  clearTimeout(timer);
  if (!navigator.onLine) return; // the connection says when it is back
  const isLooked = !document.hidden;
  if (!isLooked && !facts.player) return; // a visitor's title says nothing
  const wait = isLooked ? seconds : Math.max(seconds, HIDDEN);
  timer = setTimeout(ask, wait * 1000 * (0.9 + 0.2 * Math.random()));
}

export async function ask() {
  if (!facts.news || !told) return;
  clearTimeout(timer);
  asked = performance.now();
  try {
    const answer = await fetch(facts.news, { cache: "no-store" });
    if (answer.status === 410) return tooOld();
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    showCount(news.waiting);
    if ("stamp" in facts && news.stamp !== facts.stamp) await bringUpToDate(news);
    delete document.documentElement.dataset.kept; // it is as new as the server now
    pause = news.pause;
  } catch {
    pause = Math.min(pause * 2, LONGEST);
  }
  askIn(pause);
}

// A page that was kept for long asks no more; it is loaded as usual.
function tooOld() {
  if (document.documentElement.dataset.kept && !isBusy()) location.reload();
}

async function bringUpToDate(news) {
  if (isBusy()) return keepAsItIs(news);
  const answer = await fetch(here(), { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isBusy()) return keepAsItIs(news); // since it was asked for
  showPage(page);
  const words = document.querySelector("[data-said]");
  say(words ? words.dataset.said : "");
}

function say(words) {
  told.textContent = words;
  clearTimeout(saying);
  saying = setTimeout(() => told.textContent === words && told.replaceChildren(), SAID);
}

function keepAsItIs(news) {
  tell(facts.past ? "further" : "changed", here());
  facts.stamp = news.stamp; // this is told
}

function tell(kind, href) {
  told.replaceChildren();
  const button = link(told.dataset[`${kind}Link`], href);
  button.className = "button plain";
  sayFrom(told, kind).append(" ", button);
}

// Where the newest state of this page is shown.
function here() {
  return facts.last || location.pathname + location.search;
}

function showCount(waiting) {
  if (waiting === null) return;
  document.title = waiting ? `(${waiting}) ${title()}` : title();
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = waiting;
    place.hidden = !waiting;
  }
  const icon = document.querySelector('link[rel="icon"][data-idle]');
  const wanted = icon && (waiting ? icon.dataset.waiting : icon.dataset.idle);
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

function look() {
  if (document.hidden) return askIn(pause);
  if (performance.now() - asked > SOON) ask();
  else askIn(pause);
}

// The key n goes to the next board that waits.
function goOn(event) {
  if (event.key !== "n" || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [role=grid]")) return;
  const link = document.querySelector("a[data-next]");
  if (link) location.assign(link.href);
}

if (facts.news && told) {
  addEventListener("keydown", goOn);
  document.addEventListener("sarsen:swapped", () => told.replaceChildren());
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("pageshow", (event) => event.persisted && look());
  askIn(pause);
}
