// How a board is seen: turned round, without coordinates or legal places, as heights, and larger.
// The buttons are web/board/view_buttons.html; what is chosen stays in this browser.

import { draw } from "./elements.js";
import { pictureOf } from "./spots.js";

const KEY = "sarsen:looks";
const HIDING = ["bare", "unlit"]; // their buttons say that something is shown
const MOST = 6; // times larger
const STEP = 1.6;
const CLOSER = 3; // where the finger points again
const DRAG = 6; // pixels; less is a tap

// Shows the pictures of a place as they were chosen, and `onChange` hears of every press.
export class View {
  constructor(place, onChange) {
    this.place = place;
    this.onChange = onChange;
    this.buttons = [...place.querySelectorAll(".looks button")];
    this.plan = place.querySelector(".plan");
    // The other side is seen from its own seat.
    const { game = "", seat = "" } = place.dataset;
    this.names = { turned: `turned:${game}:${seat}`, heights: `heights:${game}` };
    const pictures = [...place.querySelectorAll("svg.board")];
    this.zooms = new Map(pictures.map((svg) => [svg, new Zoom(svg, () => this.showButtons())]));
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
    return Boolean(chosen()[this.names[look] || look]);
  }

  press(look) {
    if (look === "in") this.zoom.to(this.zoom.scale * STEP);
    else if (look === "out") this.zoom.to(this.zoom.scale / STEP);
    else {
      choose(this.names[look] || look, !this.has(look));
      this.show();
    }
    this.onChange();
  }

  show() {
    for (const look of HIDING) this.place.classList.toggle(look, this.has(look));
    this.place.classList.toggle("flat", Boolean(this.plan) && this.has("heights"));
    if (this.plan) this.plan.open = this.has("heights");
    for (const [svg, zoom] of this.zooms) if (isTurnable(svg)) turnRound(svg, zoom, this.has("turned"));
    this.showButtons();
  }

  showButtons() {
    const can = {
      turned: isTurnable(this.svg),
      bare: Boolean(this.svg.querySelector(".where")),
      unlit: "moves" in this.place.dataset,
      heights: Boolean(this.plan),
      in: true,
      out: this.zoom.scale > 1,
    };
    for (const button of this.buttons) {
      const { look } = button.dataset;
      button.hidden = !can[look];
      const isPressed = this.has(look) !== HIDING.includes(look);
      if (button.ariaPressed !== null) button.ariaPressed = isPressed;
    }
  }
}

// Shows a part of a picture larger: by buttons, by the wheel with Ctrl, by two taps where none is
// a move, and by a finger that points at something small. The part is moved by dragging.
class Zoom {
  constructor(svg, onChange) {
    const { width, height } = svg.viewBox.baseVal;
    Object.assign(this, { svg, onChange, width, height, scale: 1, x: 0, y: 0 });
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.grasp(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("dblclick", (event) => this.twice(event));
    svg.addEventListener("click", (event) => this.isDragged && event.stopPropagation());
  }

  // Shows what is round a point of the window larger; false when it is larger already.
  closer(event) {
    if (this.scale > 1) return false;
    this.to(CLOSER, this.inside(event));
    return true;
  }

  // The point stays where it is; from the whole it comes to the middle, as a finger would cover
  // it at an edge.
  to(scale, { x, y } = this.middle) {
    const before = this.scale;
    this.scale = Math.min(Math.max(scale, 1), MOST);
    const part = before / this.scale;
    if (before === 1) this.move(x - (this.width * part) / 2, y - (this.height * part) / 2);
    else this.move(x - (x - this.x) * part, y - (y - this.y) * part);
  }

  get middle() {
    return { x: this.x + this.width / this.scale / 2, y: this.y + this.height / this.scale / 2 };
  }

  move(x, y) {
    const [width, height] = [this.width / this.scale, this.height / this.scale];
    this.x = Math.min(Math.max(x, 0), this.width - width);
    this.y = Math.min(Math.max(y, 0), this.height - height);
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${width} ${height}`);
    this.svg.classList.toggle("zoomed", this.scale > 1);
    this.onChange();
  }

  // Where a point of the window is in the picture.
  inside({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  twice(event) {
    if (this.svg.closest(".pointable, [data-back]")) return; // there one tap is a move
    event.preventDefault();
    this.to(this.scale > 1 ? 1 : STEP * STEP, this.inside(event));
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.to(this.scale * (event.deltaY < 0 ? STEP : 1 / STEP), this.inside(event));
  }

  grasp({ clientX, clientY }) {
    this.isDragged = false;
    this.held = { clientX, clientY, x: this.x, y: this.y };
  }

  drag({ buttons, clientX, clientY, pointerId }) {
    if (!buttons || !this.held || this.scale === 1) return;
    const [across, down] = [clientX - this.held.clientX, clientY - this.held.clientY];
    if (!this.isDragged && Math.hypot(across, down) < DRAG) return;
    if (!this.isDragged) this.svg.setPointerCapture(pointerId);
    this.isDragged = true;
    const { a } = this.svg.getScreenCTM();
    this.move(this.held.x - across / a, this.held.y - down / a);
  }
}

// A board without coordinates has no near side; a scene seen from a corner has only that one.
const isTurnable = (svg) => Boolean(svg.querySelector(".where")) && !svg.closest(".solid");

// All that is drawn stands in a group then. Letters stay upright; they lie around the middle of
// their height.
function turnRound(svg, { width, height }, isTurned) {
  const turn = (x, y) => (isTurned ? `rotate(180 ${x} ${y})` : "");
  let layer = svg.querySelector("g.drawn");
  if (!layer) {
    layer = draw("g", { class: "drawn" });
    layer.append(...[...svg.childNodes].filter((one) => one.nodeName !== "title"));
    svg.append(layer);
  }
  layer.setAttribute("transform", turn(width / 2, height / 2));
  for (const text of svg.querySelectorAll("text")) {
    const middle = text.getAttribute("y") - 0.35 * text.getAttribute("font-size");
    text.setAttribute("transform", turn(text.getAttribute("x"), middle));
  }
}

// A browser that keeps nothing shows boards as they are drawn.
function chosen() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {};
  }
}

function choose(look, isChosen) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...chosen(), [look]: isChosen || undefined }));
  } catch {
    // Nothing is kept.
  }
}
