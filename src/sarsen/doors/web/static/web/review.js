// Fills in the page of a review while it is made: asks again until it is done.

import { go } from "./navigation.js";

const PAUSE = 2000; // milliseconds between two questions

async function askAgain() {
  if (!document.querySelector("progress")) return;
  if (!document.hidden) await go(location.href, "");
  setTimeout(askAgain, PAUSE);
}

setTimeout(askAgain, PAUSE);
