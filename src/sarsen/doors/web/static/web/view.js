// How a board is seen and heard: turned round, without coordinates or legal places, as heights,
// larger, and with a sound for each move. The buttons are web/board/view_buttons.html; what is
// chosen stays in this browser, and the part of a board that is seen larger in this tab.

import { draw, recall, remember } from "./elements.js";
import { away, pictureOf, spotsOf } from "./spots.js";

const KEY = "sarsen:looks";
const HIDING = ["bare", "unlit"]; // their buttons say that something is shown
const MOST = 6; // times larger
const STEP = 1.6;
const LETTER = 1.4; // of a coordinate's usual size, on an enlarged board
const CLOSER = 3; // where the finger points again
const zoomState = JSON.parse(recall(KEY)) || {}; // of an enlarged board: { at, scale, x, y }

// Shows the pictures of a place as they were chosen, and calls `onChange` after every press.
export class View {
  constructor(place, onChange) {
    this.place = place;
    this.onChange = onChange;
    this.buttons = [...place.querySelectorAll("[data-look]")];
    this.plan = place.querySelector(".plan");
    // The other side is seen from its own seat.
    const { game = "", seat = "" } = place.dataset;
    this.names = { turned: `turned:${game}:${seat}`, heights: `heights:${game}` };
    for (const button of this.buttons) {
      button.closest(".looks").hidden = false;
      button.addEventListener("click", () => this.press(button.dataset.look));
    }
    for (const svg of place.querySelectorAll("svg.board")) {
      svg.addEventListener("dblclick", (event) => this.twice(event));
    }
    place.classList.add("looked");
    this.show();
    const { x, y, scale } = zoomState;
    if (scale > 1 && zoomState.at === boardPath()) this.enlarge(scale, new DOMPoint(x, y));
    place.addEventListener("scroll", () => this.keep(), { capture: true, passive: true });
    place.addEventListener("touchstart", () => (this.pinched = null), { passive: true });
    place.addEventListener("touchmove", (event) => this.pinch(event), { passive: false });
  }

  get svg() {
    return pictureOf(this.place);
  }

  get scale() {
    return Number(this.svg.style.getPropertyValue("--scale")) || 1;
  }

  has(look) {
    return Boolean(chosen()[this.names[look] || look]);
  }

  press(look) {
    if (look === "in") this.zoom(this.scale * STEP);
    else if (look === "out") this.zoom(this.scale / STEP);
    else {
      choose(this.names[look] || look, !this.has(look));
      this.show();
      if (look === "sound" && this.has(look)) knock();
    }
    this.onChange();
  }

  show() {
    for (const look of HIDING) this.place.classList.toggle(look, this.has(look));
    this.place.classList.toggle("flat", Boolean(this.plan) && this.has("heights"));
    if (this.plan) this.plan.open = this.has("heights");
    for (const svg of this.place.querySelectorAll("svg.board")) {
      if (isTurnable(svg)) turnRound(svg, this.has("turned"));
    }
    this.showButtons();
  }

  showButtons() {
    const can = {
      turned: isTurnable(this.svg),
      bare: Boolean(this.svg.querySelector(".where")),
      unlit: "moves" in this.place.dataset,
      heights: Boolean(this.plan),
      sound: "moves" in this.place.dataset || Boolean(document.querySelector("[data-ply]")),
      in: true,
      out: this.scale > 1,
    };
    for (const button of this.buttons) {
      const { look } = button.dataset;
      button.hidden = !can[look];
      const isPressed = this.has(look) !== HIDING.includes(look);
      if (button.ariaPressed !== null) button.ariaPressed = isPressed;
    }
  }

  // Shows what is round a point of the window larger; false when it is large enough already.
  closer(event) {
    if (this.scale >= CLOSER) return false;
    this.zoom(CLOSER, event);
    return true;
  }

  twice(event) {
    if (this.place.matches(".pointable, [data-back]")) return; // there one tap is a move
    event.preventDefault();
    this.zoom(this.scale > 1 ? 1 : STEP * STEP, event);
  }

  // Shows what lies between two fingers larger as they part.
  pinch(event) {
    const [first, second] = event.touches;
    if (event.touches.length !== 2 || !event.target.closest("svg.board")) return;
    event.preventDefault();
    const wide = away(pointOf(first), pointOf(second));
    const clientX = (first.clientX + second.clientX) / 2;
    const clientY = (first.clientY + second.clientY) / 2;
    const before = this.pinched || { wide, clientX, clientY };
    const scale = Math.min(Math.max((this.scale * wide) / before.wide, 1), MOST);
    this.enlarge(scale, this.inPicture(before), { clientX, clientY });
    this.pinched = { wide, clientX, clientY };
    this.keep();
  }

  // Shows a picture so many times larger, as a part to be scrolled. A point of the window, or what
  // was in the middle, comes to the middle: a finger would cover it at an edge.
  zoom(wanted, point = null) {
    const scale = Math.min(Math.max(wanted, 1), MOST);
    this.enlarge(scale, this.inPicture(point || middleOf(this.svg.parentElement)));
    this.keep();
  }

  enlarge(scale, target, at = middleOf(this.svg.parentElement)) {
    const { svg } = this;
    const frame = svg.parentElement;
    if (this.scale === 1) frame.style.setProperty("--height", `${svg.clientHeight}px`);
    svg.style.setProperty("--scale", scale);
    svg.classList.toggle("zoomed", scale > 1);
    const position = target.matrixTransform(svg.getScreenCTM());
    frame.scrollBy(position.x - at.clientX, position.y - at.clientY);
    const { layer } = spotsOf(this.place);
    layer.append(...layer.querySelectorAll(".where")); // over what they may come to lie on
    this.pin();
    this.showButtons();
  }

  // Moves the coordinates to the edges of what is in sight.
  pin() {
    const { left, right, top, bottom } = spotsOf(this.place).seen;
    const { width, height } = this.svg.viewBox.baseVal;
    for (const text of this.svg.querySelectorAll(".where")) {
      const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(text.getAttribute(name)));
      const isBeside = Math.min(x, width - x) < Math.min(y, height - y);
      const by = (at, least, most) => Math.min(Math.max(at, least + size), most - size / 2) - at;
      text.style.fontSize = this.scale > 1 ? `${(LETTER * size) / this.scale}px` : "";
      text.style.translate = isBeside ? `${by(x, left, right)}px` : `0 ${by(y, top, bottom)}px`;
    }
  }

  keep() {
    const { x, y } = this.inPicture(middleOf(this.svg.parentElement));
    Object.assign(zoomState, { at: boardPath(), scale: this.scale, x, y });
    this.pin();
  }

  // Returns a point of the window as one of the picture.
  inPicture({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }
}

const pointOf = ({ clientX: x, clientY: y }) => ({ x, y });

const boardPath = () => document.body.dataset.last || location.pathname;

addEventListener("pagehide", () => remember(KEY, JSON.stringify(zoomState)));

function middleOf(frame) {
  const { x, y, width, height } = frame.getBoundingClientRect();
  return { clientX: x + width / 2, clientY: y + height / 2 };
}

// A board without coordinates has no near side; a scene seen from a corner has only that one.
const isTurnable = (svg) => Boolean(svg.querySelector(".where")) && !svg.closest(".solid");

// All that is drawn stands in a group then. Letters stay upright; they lie around the middle of
// their height.
function turnRound(svg, isTurned) {
  const { width, height } = svg.viewBox.baseVal;
  const turn = (x, y) => (isTurned ? `rotate(180 ${x} ${y})` : "");
  let layer = svg.querySelector("g.drawn");
  if (!layer) {
    layer = draw("g", { class: "drawn" });
    layer.append(...[...svg.childNodes].filter((node) => node.nodeName !== "title"));
    svg.append(layer);
  }
  layer.setAttribute("transform", turn(width / 2, height / 2));
  for (const text of svg.querySelectorAll("text")) {
    const middle = text.getAttribute("y") - 0.35 * text.getAttribute("font-size");
    text.setAttribute("transform", turn(text.getAttribute("x"), middle));
  }
}

// A browser that keeps nothing shows boards as they are drawn.
const chosen = () => JSON.parse(recall(KEY, "localStorage")) || {};

function choose(look, isChosen) {
  remember(KEY, JSON.stringify({ ...chosen(), [look]: isChosen || undefined }), "localStorage");
}

// A soft knock for a move that is made or seen, where that is chosen.
let sounds = null;
let ply = plyShown();

function plyShown() {
  return Number(document.querySelector("[data-ply]")?.dataset.ply || 0);
}

function knock() {
  sounds ||= new AudioContext();
  const { currentTime: now } = sounds;
  const tone = sounds.createOscillator();
  const loudness = sounds.createGain();
  tone.frequency.setValueAtTime(320, now);
  tone.frequency.exponentialRampToValueAtTime(110, now + 0.08);
  loudness.gain.setValueAtTime(0.2, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(loudness).connect(sounds.destination);
  tone.start(now);
  tone.stop(now + 0.12);
}

document.addEventListener("submit", ({ target }) => {
  if (chosen().sound && target.closest(".deciding")) knock();
});

document.addEventListener("sarsen:swapped", () => {
  const before = ply;
  ply = plyShown() || ply;
  if (chosen().sound && ply > before) knock();
});
