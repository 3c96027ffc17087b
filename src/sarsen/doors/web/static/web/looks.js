// How somebody likes to see boards: turned round, without coordinates, without the legal
// places, as heights, larger. The buttons are web/board/view_buttons.html; what is chosen stays in
// this browser.

import { draw } from "./make.js";
import { pictureOf } from "./spots.js";
import { Zoom } from "./zoom.js";

const KEY = "sarsen:looks";

// Gives a picture its look, and its buttons their work. `onChange` is told of every press.
export class Looks {
  constructor(place, onChange) {
    this.place = place;
    this.onChange = onChange;
    this.buttons = [...place.querySelectorAll(".looks button")];
    this.plan = place.querySelector(".plan");
    // Who plays the other side looks from there.
    const { game = "", seat = "" } = place.dataset;
    this.names = { turned: `turned:${game}:${seat}`, heights: `heights:${game}` };
    this.zooms = new Map();
    for (const svg of place.querySelectorAll("svg.board")) {
      this.zooms.set(svg, new Zoom(svg, () => this.showButtons()));
    }
    for (const button of this.buttons) {
      button.parentNode.hidden = false;
      button.addEventListener("click", () => this.press(button.dataset.look));
    }
    place.classList.add("looked");
    this.show();
  }

  get svg() {
    return pictureOf(this.place);
  }

  get zoom() {
    return this.zooms.get(this.svg);
  }

  has(look) {
    return Boolean(kept()[this.names[look] || look]);
  }

  press(look) {
    if (look === "in" || look === "out") {
      this.zoom[look]();
    } else {
      keep({ ...kept(), [this.names[look] || look]: !this.has(look) || undefined });
      this.show();
    }
    this.onChange();
  }

  show() {
    this.place.classList.toggle("bare", this.has("bare"));
    this.place.classList.toggle("unlit", this.has("unlit"));
    this.place.classList.toggle("flat", Boolean(this.plan) && this.has("heights"));
    if (this.plan) this.plan.open = this.has("heights");
    for (const svg of this.zooms.keys()) if (isTurnable(svg)) turnRound(svg, this.has("turned"));
    this.showButtons();
  }

  showButtons() {
    const { svg, zoom } = this;
    const can = {
      turned: isTurnable(svg),
      bare: Boolean(svg.querySelector(".where")),
      unlit: "moves" in this.place.dataset,
      heights: Boolean(this.plan),
      in: true,
      out: zoom.scale > 1,
    };
    for (const button of this.buttons) {
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

// All that is drawn stands in a group then. Letters stay upright; they lie around the middle of
// their height.
function turnRound(svg, isTurned) {
  const turn = (x, y) => (isTurned ? `rotate(180 ${x} ${y})` : "");
  const [, , width, height] = (svg.dataset.whole ||= svg.getAttribute("viewBox")).split(" ");
  drawn(svg).setAttribute("transform", turn(width / 2, height / 2));
  for (const text of svg.querySelectorAll("text")) {
    const middle = text.getAttribute("y") - 0.35 * text.getAttribute("font-size");
    text.setAttribute("transform", turn(text.getAttribute("x"), middle));
  }
}

function drawn(svg) {
  const known = svg.querySelector("g.drawn");
  if (known) return known;
  const layer = draw("g", { class: "drawn" });
  layer.append(...[...svg.childNodes].filter((one) => one.nodeName !== "title"));
  return svg.appendChild(layer);
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
