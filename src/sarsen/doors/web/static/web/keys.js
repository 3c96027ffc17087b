// Lets boards be read and played by keys, and tables of cells be walked: one place has the focus,
// arrows lead to the nearest in their direction. Without script each place of a table is a stop of Tab.
//
//   new Keys(place, board) // a Board of board.js, or null where there is nothing to choose:
//                          // Enter taps the place, Escape takes a tap back
//
// What stands on each place is `data-cells` of the picture: the places by the words for it.

import { draw, isPlain } from "./elements.js";
import { away, spotsOf } from "./spots.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SLANT = 2.5; // how much farther away is what lies aside
const PART = 0.5; // of a place's size
const TABLE = "table[data-cells]";
let isUsed = false; // keys were the last to play: the focus follows what happens
let lastPlace = null; // the place that had the focus last, on the picture before

export class Keys {
  constructor(place, board) {
    Object.assign(this, { place, board });
    const cells = JSON.parse(place.querySelector(".view").dataset.cells || "{}");
    const entries = Object.entries(cells).map(([words, spots]) => spots.split(" ").map((spot) => [spot, words]));
    this.words = Object.fromEntries(entries.flat()); // what stands on each spot, for ears
    place.addEventListener("board:taps", () => this.renew());
    place.addEventListener("board:move", () => (isUsed = this.isHeld));
    place.addEventListener("keydown", (event) => this.press(event));
    place.addEventListener("pointerdown", () => (isUsed = false));
    this.renew();
  }

  get isHeld() {
    return Boolean(this.target && this.target === document.activeElement);
  }

  get spots() {
    return spotsOf(this.place);
  }

  // All places, or those of the tray that a move is put together from.
  get places() {
    const { spots, board } = this;
    return spots.placesOf(board?.hasTray ? board.next : spots.places.keys());
  }

  // Keeps the focus as near as possible to where it was.
  renew() {
    const isHeld = this.isHeld || (isUsed && document.activeElement === document.body);
    const { places } = this;
    if (!places.length) return this.target?.remove();
    const { x, y, width, height } = this.spots.svg.viewBox.baseVal;
    const from = this.at || lastPlace || { x: x + width / 2, y: y + height / 2 };
    this.at = places.reduce((best, place) => (away(place, from) < away(best, from) ? place : best));
    this.show(isHeld);
  }

  show(isHeld) {
    const { svg, layer } = this.spots;
    if (this.target?.ownerSVGElement !== svg) this.make(svg);
    lastPlace = this.at;
    const { spot, x, y, size } = this.at;
    const words = this.words[spot];
    const facts = {
      ...{ cx: x, cy: y, r: size * PART, "data-at": spot },
      "aria-label": words ? `${spot}: ${words}` : spot,
      "aria-disabled": !this.board?.next.has(spot),
    };
    for (const [name, value] of Object.entries(facts)) this.target.setAttribute(name, value);
    layer.append(this.target); // above what was drawn meanwhile
    if (isHeld) this.target.focus({ preventScroll: true });
  }

  make(svg) {
    this.target?.remove();
    this.target = draw("circle", { class: "key", role: "button", tabindex: 0 });
    // Screen readers press it so, without a position of the pointer.
    this.target.addEventListener("click", (event) => {
      event.stopPropagation();
      this.choose();
    });
    // In an application arrows are its own, also for programs that otherwise read lines with them.
    svg.setAttribute("role", "application");
    svg.setAttribute("aria-label", svg.querySelector("title").textContent);
    for (const label of svg.querySelectorAll("text")) label.setAttribute("aria-hidden", "true");
  }

  press(event) {
    const { key, target } = event;
    if (target !== this.target || !isPlain(event)) return;
    if (!(key in STEPS) && key !== "Enter" && key !== " ") return;
    event.preventDefault();
    isUsed = true;
    if (!(key in STEPS)) return event.repeat || this.choose();
    // A board may be turned and enlarged: up is up on the screen.
    const to = this.spots.layer.getScreenCTM();
    const onScreen = ({ x, y }) => new DOMPoint(x, y).matrixTransform(to);
    this.at = nearest(this.places, onScreen, this.at, STEPS[key]) || this.at;
    this.show(true);
  }

  choose() {
    isUsed = true;
    const { board, at } = this;
    if (board && !board.tap(at.spot)) board.miss(at.spot);
  }
}

// Returns the nearest in a direction, rather straight ahead than to the side.
function nearest(places, middleOf, from, [across, down]) {
  const origin = middleOf(from);
  let best = { away: Infinity };
  for (const place of places) {
    const point = middleOf(place);
    const [x, y] = [point.x - origin.x, point.y - origin.y];
    const ahead = x * across + y * down;
    const away = ahead + SLANT * (Math.abs(x * down) + Math.abs(y * across));
    if (ahead > 0.5 && away < best.away) best = { place, away };
  }
  return best.place;
}

addEventListener("keydown", (event) => {
  const { key, target } = event;
  const table = target.closest(TABLE);
  if (!table || !target.matches("a") || !isPlain(event)) return;
  const links = [...table.querySelectorAll("a")];
  const row = links.filter((link) => link.closest("tr") === target.closest("tr"));
  const middleOf = (link) => ({ x: link.closest("td").cellIndex, y: link.closest("tr").rowIndex });
  let focused = { Home: row[0], End: row.at(-1) }[key];
  if (key in STEPS) focused = nearest(links, middleOf, target, STEPS[key]) || target;
  if (!focused) return;
  event.preventDefault();
  for (const link of links) link.tabIndex = link === focused ? 0 : -1;
  focused.focus();
});

function attach() {
  for (const table of document.querySelectorAll(TABLE)) {
    table.querySelectorAll("a").forEach((link, at) => (link.tabIndex = at ? -1 : 0));
  }
}

document.addEventListener("sarsen:swapped", () => {
  attach();
  // After a move was pointed out by keys, what can be done with it is next under the fingers.
  if (!isUsed || document.activeElement !== document.body) return;
  document.querySelector(".deciding button, [data-change], svg.board .key")?.focus();
});
attach();
