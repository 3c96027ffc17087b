// Lets a board be played by keys: one of its places has the focus, arrows lead to the nearest
// place in their direction that may be tapped next, Enter taps it, Escape takes a tap back.
//
//   new Keys(board) // a Board of board.js
//
// The place may say `data-cells`: where the words of its spots are, for ears.

const NAMESPACE = "http://www.w3.org/2000/svg";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SLANT = 2.5; // how much farther away is what lies aside
const PART = 0.5; // of a place's size
let isUsed = false; // keys were the last to play: the focus follows what happens

export class Keys {
  constructor(board) {
    this.board = board;
    this.words = {};
    this.at = null; // { spot, place }
    const { place } = board;
    place.addEventListener("board:taps", () => this.renew());
    place.addEventListener("board:move", () => (isUsed = this.isHeld));
    place.addEventListener("keydown", (event) => this.press(event));
    place.addEventListener("pointerdown", () => (isUsed = false));
    board.ready.then(() => this.renew());
    this.learn();
  }

  // All places that may be tapped next.
  get places() {
    const { spots, next } = this.board;
    return [...next].flatMap((spot) => (spots.places.get(spot) || []).map((place) => ({ spot, place })));
  }

  get isHeld() {
    return Boolean(this.target && this.target === document.activeElement);
  }

  async learn() {
    const { cells } = this.board.place.dataset;
    if (!cells) return;
    const answer = await fetch(cells);
    if (answer.ok) this.words = (await answer.json()).cells;
    if (this.target) this.name();
  }

  // Keeps the focus as near as possible to where it was.
  renew() {
    const { svg } = this.board.spots;
    const held = this.isHeld || (isUsed && document.activeElement === document.body);
    const { places } = this;
    if (!places.length) return this.target?.remove();
    const from = this.at ? this.at.place : middleOf(svg);
    this.at = places.reduce((one, other) => (away(other.place, from) < away(one.place, from) ? other : one));
    this.show(svg, held);
  }

  show(svg, held) {
    if (!this.target || this.target.ownerSVGElement !== svg) this.make(svg);
    const { spots } = this.board;
    const { place } = this.at;
    this.target.setAttribute("cx", place.x);
    this.target.setAttribute("cy", place.y);
    this.target.setAttribute("r", place.size * PART);
    spots.layer.append(this.target); // above what was drawn meanwhile
    this.name();
    if (held) this.target.focus({ preventScroll: true });
  }

  make(svg) {
    this.target?.remove();
    this.target = document.createElementNS(NAMESPACE, "circle");
    for (const [name, value] of [["class", "key"], ["role", "button"], ["tabindex", "0"]]) {
      this.target.setAttribute(name, value);
    }
    this.target.addEventListener("click", (event) => this.clicked(event));
    // A picture has no parts for ears; a group has.
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", svg.querySelector("title").textContent);
    for (const label of svg.querySelectorAll("text")) label.setAttribute("aria-hidden", "true");
  }

  name() {
    const { spot } = this.at;
    const words = this.words[spot];
    this.target.setAttribute("aria-label", words ? `${spot}: ${words}` : spot);
    this.target.setAttribute("data-at", spot);
  }

  press(event) {
    const { key } = event;
    if (event.target !== this.target || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(key in STEPS) && key !== "Enter" && key !== " ") return;
    event.preventDefault();
    isUsed = true;
    if (key in STEPS) this.step(STEPS[key]);
    else if (!event.repeat) this.board.tap(this.at.spot);
  }

  // As programs press it that read the screen aloud: without a place of the finger.
  clicked(event) {
    event.stopPropagation();
    isUsed = true;
    this.board.tap(this.at.spot);
  }

  step([across, down]) {
    const here = this.seen(this.at.place);
    let found = null;
    let least = Infinity;
    for (const one of this.places) {
      const there = this.seen(one.place);
      const [x, y] = [there.x - here.x, there.y - here.y];
      const ahead = x * across + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * across);
      if (ahead > 0.5 && ahead + SLANT * aside < least) [found, least] = [one, ahead + SLANT * aside];
    }
    if (!found) return;
    this.at = found;
    this.show(this.board.spots.svg, true);
  }

  // A board may be turned and enlarged: up is up on the screen.
  seen(place) {
    return new DOMPoint(place.x, place.y).matrixTransform(this.board.spots.layer.getScreenCTM());
  }
}

const away = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

function middleOf(svg) {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { x: x + width / 2, y: y + height / 2 };
}

// After a move was pointed out by keys, what can be done with it is next under the fingers.
document.addEventListener("sarsen:swapped", () => {
  if (!isUsed || document.activeElement !== document.body) return;
  document.querySelector(".deciding button, [data-change], svg.board .key")?.focus();
});
