// Where the spots of a picture lie, which one a finger means, and signs drawn over them.

import { draw } from "./elements.js";

const RING = 0.36; // of a spot's size, round what is written on it
const APART = 1.3; // of its size: what lies further off is another place of the same spot
const REACH = 22; // pixels from the middle of a spot within which a tap still means it
const SHAPES = "circle[data-spot], polygon[data-spot], polyline[data-spot]";

export class Spots {
  constructor(svg) {
    this.svg = svg;
    this.layer = svg.querySelector("g.drawn") || svg;
    this.places = placesOf(svg);
  }

  // Returns all places of some spots.
  placesOf(spots) {
    return [...spots].flatMap((spot) => this.places.get(spot) || []);
  }

  // Returns the spots whose shapes lie under a point of the window, the uppermost first.
  under(x, y) {
    const found = document.elementsFromPoint(x, y).filter((one) => this.svg.contains(one));
    return [...new Set(found.map((one) => one.dataset.spot).filter(Boolean))];
  }

  // Returns the spot among some that is meant by a point of the window, or "".
  meant(x, y, among) {
    const hit = this.under(x, y).find((spot) => among.has(spot));
    if (hit) return hit;
    const to = this.layer.getScreenCTM();
    let nearest = { spot: "", far: REACH };
    for (const { spot, ...place } of this.placesOf(among)) {
      const far = away(new DOMPoint(place.x, place.y).matrixTransform(to), { x, y });
      if (far < nearest.far) nearest = { spot, far };
    }
    return nearest.spot;
  }

  // Returns how wide spots are on the screen, in pixels: the smallest of some.
  width(among) {
    const scale = Math.abs(this.layer.getScreenCTM().a);
    return Math.min(...this.placesOf(among).map((place) => place.size * scale));
  }

  // Draws circles of a class over spots, in place of the earlier ones of that class: of a part
  // of each spot's size, or small ones that are all alike, which spare what is written there.
  sign(name, spots, part, isSmall = false) {
    this.group.querySelectorAll(`.${name}`).forEach((one) => one.remove());
    const places = this.placesOf(spots);
    const smallest = Math.min(...places.map((place) => place.size));
    for (const { x, y, size, isWritten } of places) {
      const isRing = isSmall && isWritten;
      const r = isRing ? size * RING : (isSmall ? smallest : size) * part;
      this.group.append(draw("circle", { class: isRing ? `${name} ring` : name, cx: x, cy: y, r }));
    }
  }

  get group() {
    const known = this.layer.querySelector("g.signs");
    return known || this.layer.appendChild(draw("g", { class: "signs" }));
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
      const transform = `translate(${to.x - from.x} ${to.y - from.y})`;
      const piece = draw("g", { class: "laid", transform, "data-at": at });
      for (const shape of shapes.filter((one) => one.dataset.spot === spot)) {
        if (away(boxOf(shape), from) > 1) continue;
        const copy = piece.appendChild(shape.cloneNode());
        delete copy.dataset.spot;
        shape.classList.add("taken");
      }
      this.layer.append(piece);
    });
  }
}

const known = new WeakMap(); // spots by their picture

export function spotsOf(place) {
  const svg = pictureOf(place);
  if (!known.has(svg)) known.set(svg, new Spots(svg));
  return known.get(svg);
}

// Returns the picture in sight, where there are several.
export function pictureOf(place) {
  const svgs = [...place.querySelectorAll("svg.board")];
  return svgs.find((one) => one.getClientRects().length) || svgs[0];
}

export const away = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

// A spot may lie at several places, as a tile of a legend does. Where shapes lie over each
// other, the last that is about as large as the largest is the one in sight.
function placesOf(svg) {
  const stacks = new Map();
  for (const shape of svg.querySelectorAll(SHAPES)) {
    const box = boxOf(shape);
    const { spot } = shape.dataset;
    if (!stacks.has(spot)) stacks.set(spot, []);
    const stack = stacks.get(spot).find(([one]) => away(one, box) < APART * one.size);
    if (stack) stack.push(box);
    else stacks.get(spot).push([box]);
  }
  const written = new Set([...svg.querySelectorAll("text[data-spot]")].map((one) => one.dataset.spot));
  const places = [...stacks].map(([spot, all]) => {
    const faces = all.filter((stack) => stack.some((box) => box.area));
    const isWritten = written.has(spot);
    return [spot, (faces.length ? faces : all).map((one) => ({ spot, isWritten, ...uppermost(one) }))];
  });
  return new Map(places);
}

function uppermost(stack) {
  const largest = Math.max(...stack.map((box) => box.area));
  return stack.filter((box) => box.area >= largest / 2).at(-1);
}

function boxOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  const size = Math.min(width, height) || Math.max(width, height);
  // A stroke is no place of its own where a face is.
  const area = shape.tagName === "polyline" ? 0 : width * height;
  if (shape.tagName !== "polygon") return { x: x + width / 2, y: y + height / 2, size, area };
  // The middle of a triangle is not that of its box.
  const points = [...shape.points];
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return { x: mean("x"), y: mean("y"), size, area };
}
