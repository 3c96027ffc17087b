// Shows a part of a picture larger: by buttons, by the wheel with Ctrl, by two taps where none is
// a move, and by a finger that points at something small. A picture shown larger is dragged about.

const MOST = 6;
const STEP = 1.6;
const DRAG = 6; // pixels; less is a tap
const CLOSER = 3; // where the finger points again

export class Zoom {
  constructor(svg, onChange) {
    this.svg = svg;
    this.onChange = onChange;
    const { width, height } = svg.viewBox.baseVal;
    Object.assign(this, { width, height, scale: 1, x: 0, y: 0 });
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.grasp(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("dblclick", (event) => this.twice(event));
    svg.addEventListener("click", (event) => this.isDragged && event.stopPropagation());
  }

  in() {
    this.to(this.scale * STEP);
  }

  out() {
    this.to(this.scale / STEP);
  }

  // Shows what is round a point of the window larger; false when it is as large as can be.
  closer(event) {
    if (this.scale > 1) return false;
    this.to(CLOSER, this.inside(event));
    return true;
  }

  // The point stays where it is; from the whole it comes to the middle, as a finger would cover
  // it at an edge.
  to(scale, point = this.middle) {
    const before = this.scale;
    this.scale = Math.min(Math.max(scale, 1), MOST);
    const { width, height } = this.part;
    const { x, y } = point;
    if (before === 1) this.move(x - width / 2, y - height / 2);
    else this.move(x - ((x - this.x) * before) / this.scale, y - ((y - this.y) * before) / this.scale);
  }

  // How much of the picture is shown.
  get part() {
    return { width: this.width / this.scale, height: this.height / this.scale };
  }

  get middle() {
    const { width, height } = this.part;
    return { x: this.x + width / 2, y: this.y + height / 2 };
  }

  move(x, y) {
    const { width, height } = this.part;
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

  // Two taps show a part larger, and then the whole again, but not where one tap is a move.
  twice(event) {
    if (this.svg.closest(".pointable, [data-back]")) return;
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

  drag(event) {
    if (!event.buttons || !this.held || this.scale === 1) return;
    const across = event.clientX - this.held.clientX;
    const down = event.clientY - this.held.clientY;
    if (!this.isDragged && Math.hypot(across, down) < DRAG) return;
    if (!this.isDragged) this.svg.setPointerCapture(event.pointerId);
    this.isDragged = true;
    const { a } = this.svg.getScreenCTM();
    this.move(this.held.x - across / a, this.held.y - down / a);
  }
}
