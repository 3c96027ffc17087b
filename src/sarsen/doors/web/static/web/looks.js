// How somebody likes to see boards: turned round, without coordinates, without the legal
// places, as heights, larger. The buttons stand in web/looks.html; what is chosen stays in
// this browser.

import { Zoom } from "./zoom.js";

const KEY = "sarsen:looks";
const NAMESPACE = "http://www.w3.org/2000/svg";

// Gives a picture its look, and its buttons their work. `onChange` is told of every press.
export class Looks {
  constructor(place, onChange = () => {}) {
    this.place = place;
    this.onChange = onChange;
    this.bar = place.querySelector(".looks");
    // Who plays the other side looks from there.
    const { game = "", seat = "" } = place.dataset;
    this.names = { turned: `turned:${game}:${seat}`, heights: `heights:${game}` };
    this.zooms = new Map();
    for (const svg of place.querySelectorAll("svg.board")) {
      this.zooms.set(svg, new Zoom(svg, () => this.showButtons()));
    }
    this.bar?.addEventListener("click", (event) => this.press(event.target.closest("button")));
    if (this.bar) this.bar.hidden = false;
    place.classList.add("looked");
    this.show();
  }

  get svg() {
    const svgs = [...this.zooms.keys()];
    return svgs.find((one) => one.getClientRects().length) || svgs[0];
  }

  get zoom() {
    return this.zooms.get(this.svg);
  }

  has(look) {
    return Boolean(kept()[this.names[look] || look]);
  }

  press(button) {
    if (!button) return;
    const { look } = button.dataset;
    if (look === "in" || look === "out") this.zoom[look]();
    else this.turn(look);
    this.onChange();
  }

  turn(look) {
    const looks = kept();
    const name = this.names[look] || look;
    if (looks[name]) delete looks[name];
    else looks[name] = true;
    keep(looks);
    this.show();
  }

  show() {
    const plan = this.place.querySelector(".plan");
    this.place.classList.toggle("bare", this.has("bare"));
    this.place.classList.toggle("unlit", this.has("unlit"));
    this.place.classList.toggle("flat", Boolean(plan) && this.has("heights"));
    if (plan) plan.open = this.has("heights");
    for (const svg of this.zooms.keys()) if (isTurnable(svg)) turnRound(svg, this.has("turned"));
    this.showButtons();
  }

  showButtons() {
    if (!this.bar) return;
    const { svg, zoom } = this;
    const can = {
      turned: isTurnable(svg),
      bare: Boolean(svg.querySelector(".where")),
      unlit: "moves" in this.place.dataset,
      heights: Boolean(this.place.querySelector(".plan")),
      in: true,
      out: zoom.scale > 1,
    };
    for (const button of this.bar.querySelectorAll("button")) {
      const { look } = button.dataset;
      button.hidden = !can[look];
      // What can be hidden has a button that says it is shown.
      const isOn = this.has(look) !== ["bare", "unlit"].includes(look);
      if (look !== "in" && look !== "out") button.setAttribute("aria-pressed", isOn);
    }
  }
}

// A board without coordinates has no near side; a scene seen from a corner has only that one.
const isTurnable = (svg) => Boolean(svg.querySelector(".where")) && !svg.closest(".solid");

function turnRound(svg, isTurned) {
  const layer = drawn(svg);
  const [, , width, height] = (svg.dataset.whole ||= svg.getAttribute("viewBox")).split(" ");
  if (isTurned) layer.setAttribute("transform", `rotate(180 ${width / 2} ${height / 2})`);
  else layer.removeAttribute("transform");
  for (const text of svg.querySelectorAll("text")) {
    // Letters stay upright; they lie around the middle of their height.
    const middle = text.getAttribute("y") - 0.35 * text.getAttribute("font-size");
    if (isTurned) text.setAttribute("transform", `rotate(180 ${text.getAttribute("x")} ${middle})`);
    else text.removeAttribute("transform");
  }
}

// Gives the group of everything drawn, which is made when it is first needed.
function drawn(svg) {
  let layer = svg.querySelector("g.drawn");
  if (!layer) {
    layer = document.createElementNS(NAMESPACE, "g");
    layer.setAttribute("class", "drawn");
    layer.append(...[...svg.childNodes].filter((one) => one.nodeName !== "title"));
    svg.append(layer);
  }
  return layer;
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

function keep(looks) {
  try {
    localStorage.setItem(KEY, JSON.stringify(looks));
  } catch {
    // It holds as long as the page, at least for what is drawn already.
  }
}
