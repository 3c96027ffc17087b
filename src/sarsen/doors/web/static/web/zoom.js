// Shows a part of a picture larger: by buttons, by the wheel with Ctrl, by two taps where none is
// a move, and by a finger that points at something small. A picture shown larger is dragged about.

const MOST = 6;
const STEP = 1.6;
const DRAG = 6; // pixels; less is a tap
const FINGER = 44; // pixels a spot has when the finger points again

export class Zoom {
  constructor(svg, onChange = () => {}) {
    this.svg = svg;
    this.onChange = onChange;
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { width, height, scale: 1, x: 0, y: 0 });
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.grasp(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("dblclick", (event) => this.twice(event));
    svg.addEventListener("click", (event) => this.isDragged && event.stopPropagation());
  }

  by(factor, middle = this.middle) {
    this.to(this.scale * factor, middle);
  }

  get middle() {
    return {
      x: this.x + this.width / this.scale / 2,
      y: this.y + this.height / this.scale / 2,
    };
  }

  in() {
    this.by(STEP);
  }

  out() {
    this.by(1 / STEP);
  }

  // Shows what is round a point of the window larger; false when it is as large as can be.
  closer(clientX, clientY, size = FINGER / 3) {
    if (this.scale > 1) return false;
    const point = this.inside(clientX, clientY);
    this.to(Math.min(Math.max(FINGER / size, 2), MOST), point);
    return true;
  }

  to(scale, { x, y }) {
    const before = { x: (x - this.x) * this.scale, y: (y - this.y) * this.scale };
    const wasWhole = this.scale === 1;
    this.scale = Math.min(Math.max(scale, 1), MOST);
    const [wide, high] = [this.width / this.scale, this.height / this.scale];
    // The point stays where it is, but for a finger, which would cover it at an edge.
    this.x = wasWhole ? x - wide / 2 : x - before.x / this.scale;
    this.y = wasWhole ? y - high / 2 : y - before.y / this.scale;
    this.apply();
  }

  apply() {
    const [wide, high] = [this.width / this.scale, this.height / this.scale];
    this.x = Math.min(Math.max(this.x, 0), this.width - wide);
    this.y = Math.min(Math.max(this.y, 0), this.height - high);
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${wide} ${high}`);
    this.svg.classList.toggle("zoomed", this.scale > 1);
    this.onChange(this.scale);
  }

  inside(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // Two taps show a part larger, and then the whole again, but not where one tap is a move.
  twice(event) {
    if (this.svg.closest(".pointable, [data-back]")) return;
    event.preventDefault();
    if (this.scale > 1) this.to(1, this.middle);
    else this.by(STEP * STEP, this.inside(event.clientX, event.clientY));
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? STEP : 1 / STEP, this.inside(event.clientX, event.clientY));
  }

  grasp(event) {
    this.isDragged = false;
    this.held = { x: event.clientX, y: event.clientY, left: this.x, top: this.y };
  }

  drag(event) {
    if (!event.buttons || !this.held || this.scale === 1) return;
    const [across, down] = [event.clientX - this.held.x, event.clientY - this.held.y];
    if (!this.isDragged && Math.hypot(across, down) < DRAG) return;
    if (!this.isDragged) this.svg.setPointerCapture(event.pointerId);
    this.isDragged = true;
    const { a } = this.svg.getScreenCTM();
    this.x = this.held.left - across / a;
    this.y = this.held.top - down / a;
    this.apply();
  }
}
