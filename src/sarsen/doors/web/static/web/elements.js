// Elements, events and answers: what several scripts need.

const SVG = "http://www.w3.org/2000/svg";
const SOONEST = 1000; // milliseconds until the second trial
const LATEST = 30_000;

// Makes an element with some properties, and with texts or elements in it.
export function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function button(words, onclick, className = "plain") {
  return make("button", { type: "button", className, onclick }, words);
}

export function link(words, href) {
  return make("a", { href }, words);
}

// Returns words with texts or elements in place of what stands in braces.
export function fill(words, parts = {}) {
  return words.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? parts[part] || "" : part));
}

// Makes an element of a picture, with attributes.
export function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Tells whether a key or a click comes without the keys that browsers and systems use themselves.
export const isPlain = (event) => !(event.ctrlKey || event.altKey || event.metaKey);

export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

// Calls `trial` until it returns something true, and returns that. The browser says that there is
// a connection before every part of it has one: the trial after that event may fail, too.
export async function untilDone(trial) {
  for (let pause = SOONEST; ; pause = Math.min(2 * pause, LATEST)) {
    const result = await trial();
    if (result) return result;
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
      addEventListener("online", resolve, { once: true });
    });
  }
}

// Tells the server the zone in which somebody without an account reads deadlines; it forgets with
// the browser's session.
export function keepZone() {
  const { zone } = document.body.dataset;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (zone && timeZone && zone !== timeZone) document.cookie = `zone=${timeZone}; path=/; samesite=lax`;
}

// What this tab keeps under a name, or this browser; null where nothing may be kept, as in some private windows.
export function recall(name, storage = "sessionStorage") {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

// Keeps a text, or forgets it where it is null.
export function remember(name, text, storage = "sessionStorage") {
  try {
    if (text === null) window[storage].removeItem(name);
    else window[storage].setItem(name, text);
  } catch {
    // It is not kept: the page works all the same.
  }
}
