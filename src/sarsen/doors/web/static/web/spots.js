// Where the spots of a picture lie, which one a finger means, and signs drawn over them.

const NAMESPACE = "http://www.w3.org/2000/svg";
const RING = 0.36; // of a spot's size, round what is written on it
const APART = 1.3; // of its size: what lies further off is another place of the same spot
const REACH = 22; // pixels from the middle of a spot within which a tap still means it

export class Spots {
  constructor(svg) {
    this.svg = svg;
    this.layer = svg.querySelector("g.drawn") || svg;
    this.places = placesOf(svg);
  }

  // Gives the spots whose shapes lie under a point of the window, the uppermost first.
  under(x, y) {
    const found = document.elementsFromPoint(x, y).filter((one) => this.svg.contains(one));
    return [...new Set(found.map((one) => one.dataset.spot).filter(Boolean))];
  }

  // Gives the spot among some that is meant by a point of the window, or nothing.
  meant(x, y, among) {
    const hit = this.under(x, y).find((spot) => among.has(spot));
    if (hit) return hit;
    const to = this.layer.getScreenCTM();
    let nearest = "";
    let least = REACH;
    for (const spot of among) {
      for (const place of this.places.get(spot) || []) {
        const middle = new DOMPoint(place.x, place.y).matrixTransform(to);
        const away = Math.hypot(middle.x - x, middle.y - y);
        if (away < least) [nearest, least] = [spot, away];
      }
    }
    return nearest;
  }

  // Gives how wide spots are on the screen, in pixels: the smallest of some.
  width(among) {
    const scale = this.layer.getScreenCTM().a;
    const sizes = [...among].flatMap((spot) => this.places.get(spot) || []).map((one) => one.size);
    return sizes.length ? Math.min(...sizes) * Math.abs(scale) : Infinity;
  }

  // Draws circles of a class over spots, in place of the earlier ones of that class: of a part
  // of each spot's size, or small ones that are all alike, which spare what is written there.
  sign(name, spots, part, isSmall = false) {
    this.group().querySelectorAll(`.${name}`).forEach((one) => one.remove());
    const places = [...spots].flatMap((spot) => this.places.get(spot) || []);
    const smallest = Math.min(...places.map((place) => place.size));
    for (const place of places) {
      const isRing = isSmall && place.isWritten;
      const size = isSmall ? smallest : place.size;
      const circle = document.createElementNS(NAMESPACE, "circle");
      circle.setAttribute("class", isRing ? `${name} ring` : name);
      circle.setAttribute("cx", place.x);
      circle.setAttribute("cy", place.y);
      circle.setAttribute("r", isRing ? place.size * RING : size * part);
      this.group().append(circle);
    }
  }

  // Shows pieces of a tray, as they are tapped, on the places where they will stand, not in it.
  lay(taps, landings) {
    this.layer.querySelectorAll(".laid").forEach((one) => one.remove());
    this.layer.querySelectorAll(".taken").forEach((one) => one.classList.remove("taken"));
    const shapes = [...this.layer.querySelectorAll("circle[data-spot]")];
    taps.forEach((spot, at) => {
      const before = taps.slice(0, at).filter((one) => one === spot).length;
      const from = this.places.get(spot)[before];
      const [to] = this.places.get(landings[at]);
      const piece = document.createElementNS(NAMESPACE, "g");
      piece.setAttribute("class", "laid");
      piece.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
      piece.dataset.at = at;
      for (const shape of shapes.filter((one) => one.dataset.spot === spot)) {
        const { x, y } = boxOf(shape);
        if (Math.hypot(x - from.x, y - from.y) > 1) continue;
        const copy = piece.appendChild(shape.cloneNode());
        delete copy.dataset.spot;
        shape.classList.add("taken");
      }
      this.layer.append(piece);
    });
  }

  group() {
    let group = this.layer.querySelector("g.signs");
    if (!group) {
      group = document.createElementNS(NAMESPACE, "g");
      group.setAttribute("class", "signs");
      this.layer.append(group);
    }
    return group;
  }
}

// A spot may lie at several places, as a tile of a legend does. Where shapes lie over each
// other, the last that is about as large as the largest is the one in sight.
function placesOf(svg) {
  const boxes = new Map();
  for (const shape of svg.querySelectorAll("[data-spot]")) {
    const box = boxOf(shape);
    if (!box) continue;
    const { spot } = shape.dataset;
    if (!boxes.has(spot)) boxes.set(spot, []);
    const stacks = boxes.get(spot);
    const away = (one) => Math.hypot(one.x - box.x, one.y - box.y);
    const stack = stacks.find(([one]) => away(one) < APART * one.size);
    if (stack) stack.push(box);
    else stacks.push([box]);
  }
  const texts = [...svg.querySelectorAll("text[data-spot]")];
  const written = new Set(texts.map((one) => one.dataset.spot));
  for (const [spot, stacks] of boxes) {
    const faces = stacks.filter((stack) => stack.some((box) => box.area));
    const isWritten = written.has(spot);
    boxes.set(spot, (faces.length ? faces : stacks).map((one) => ({ ...seen(one), isWritten })));
  }
  return boxes;
}

function seen(stack) {
  const largest = Math.max(...stack.map((box) => box.area));
  return stack.filter((box) => box.area >= largest / 2).at(-1);
}

// By the attributes: a picture that is not shown has no boxes.
function boxOf(shape) {
  const number = (name) => Number(shape.getAttribute(name));
  if (shape.tagName === "circle") {
    const size = 2 * number("r");
    return { x: number("cx"), y: number("cy"), size, area: size * size };
  }
  if (shape.tagName !== "polygon" && shape.tagName !== "polyline") return null;
  const points = shape.getAttribute("points").split(" ").map((one) => one.split(",").map(Number));
  const across = points.map(([x]) => x);
  const down = points.map(([, y]) => y);
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const [top, bottom] = [Math.min(...down), Math.max(...down)];
  // A stroke is no place of its own where a face is.
  const area = shape.tagName === "polygon" ? (right - left) * (bottom - top) : 0;
  const size = Math.min(right - left, bottom - top) || Math.max(right - left, bottom - top);
  return { x: (left + right) / 2, y: (top + bottom) / 2, size, area };
}
