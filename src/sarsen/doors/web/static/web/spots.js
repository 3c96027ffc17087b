// Where the spots of a picture lie, which one a finger means, and signs drawn over them.

import { draw } from "./elements.js";

const RING = 0.36; // of a spot's size, round what is written on it
const APART = 1.3; // of its size: what lies further off is another place of the same spot
const REACH = 22; // pixels from the middle of a spot within which a tap still means it
const PIECE = 0.66; // of the picture that shows a piece of a legend alone
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
    const elements = document.elementsFromPoint(x, y).filter((element) => this.svg.contains(element));
    return [...new Set(elements.map((element) => element.dataset.spot).filter(Boolean))];
  }

  // Returns the spot among some that is meant by a point of the window, or "".
  meant(x, y, among) {
    const hit = this.under(x, y).find((spot) => among.has(spot));
    if (hit) return hit;
    const matrix = this.layer.getScreenCTM();
    let nearest = { spot: "", far: REACH };
    for (const { spot, ...place } of this.placesOf(among)) {
      const far = away(new DOMPoint(place.x, place.y).matrixTransform(matrix), { x, y });
      if (far < nearest.far) nearest = { spot, far };
    }
    return nearest.spot;
  }

  // Returns how far the spot nearest to a point of the window is from the next one, in pixels.
  apart(x, y, among) {
    const matrix = this.layer.getScreenCTM();
    const places = this.placesOf(among).map((place) => new DOMPoint(place.x, place.y).matrixTransform(matrix));
    const byDistance = (point) => (a, b) => away(a, point) - away(b, point);
    const [nearest] = places.sort(byDistance({ x, y }));
    const [, next] = nearest ? places.sort(byDistance(nearest)) : [];
    return next ? away(nearest, next) : Infinity;
  }

  // Draws circles of a class over spots, in place of the earlier ones of that class: of a part
  // of each spot's size, or small ones that are all alike, which spare what is written there.
  sign(name, spots, part, isSmall = false) {
    this.group.querySelectorAll(`.${name}`).forEach((circle) => circle.remove());
    const places = this.placesOf(spots);
    const smallest = Math.min(...places.map((place) => place.size));
    for (const { x, y, size, isWritten } of places) {
      const isRing = isSmall && isWritten;
      const r = isRing ? size * RING : (isSmall ? smallest : size) * part;
      this.group.append(draw("circle", { class: isRing ? `${name} ring` : name, cx: x, cy: y, r }));
    }
  }

  // Returns pictures of the pieces of a legend, by spot, each turned as it would lie at a place;
  // none where the spots are places of the board.
  legend(spots, at) {
    const isLegend = [...spots].every((spot) => this.places.get(spot)?.length > 1);
    if (!at || !isLegend) return new Map();
    const [place] = this.places.get(at);
    return new Map([...spots].map((spot) => [spot, this.pieceOf(spot, place.lean > 0)]));
  }

  pieceOf(spot, isUp) {
    const from = this.places.get(spot).find(({ lean }) => lean > 0 === isUp);
    const side = from.size / PIECE;
    const viewBox = [from.x - side / 2, from.y - from.lean - side / 2, side, side].join(" ");
    const picture = draw("svg", { class: "piece", viewBox, "aria-hidden": true });
    // The style sheet colours what lies in a board; this is none that is tapped.
    picture.appendChild(draw("g", { class: "board" })).append(this.copy(spot, from, ""));
    return picture;
  }

  // Returns a copy of what is drawn of a spot at one of its places, to be shown elsewhere.
  copy(spot, from, transform) {
    const copy = draw("g", { transform, class: "copy" });
    for (const shape of this.layer.querySelectorAll(`:not(rect, text)[data-spot="${spot}"]`)) {
      if (away(boxOf(shape), from) > from.size) continue;
      delete copy.appendChild(shape.cloneNode()).dataset.spot;
    }
    return copy;
  }

  // Shows a round piece of a spot under a finger that drags it; "" takes it away.
  carry(spot, x, y) {
    this.layer.querySelector(".carried")?.remove();
    if (!spot) return;
    const [from] = this.places.get(spot);
    const to = new DOMPoint(x, y).matrixTransform(this.layer.getScreenCTM().inverse());
    const piece = this.copy(spot, from, `translate(${to.x - from.x} ${to.y - from.y})`);
    piece.classList.add("carried");
    piece.firstChild?.remove(); // the place itself
    if (piece.querySelector("circle")) this.group.append(piece);
  }

  // Returns what of the picture is in sight, in its own units.
  get seen() {
    const matrix = this.layer.getScreenCTM().inverse();
    const boxes = [this.svg, this.svg.parentElement].map((element) => element.getBoundingClientRect());
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const corner = new DOMPoint(most("left"), Math.max(most("top"), 0)).matrixTransform(matrix);
    const opposite = new DOMPoint(least("right"), Math.min(least("bottom"), innerHeight)).matrixTransform(matrix);
    const range = (axis) => [corner[axis], opposite[axis]].sort((a, b) => a - b);
    const [[left, right], [top, bottom]] = ["x", "y"].map(range);
    return { left, right, top, bottom };
  }

  // Draws a path through points of the picture, such as "10,20 30,20"; "" takes it away.
  trace(points) {
    this.group.querySelectorAll(".way").forEach((line) => line.remove());
    if (points) this.group.prepend(draw("polyline", { class: "way", points }));
  }

  get group() {
    const signs = this.layer.querySelector("g.signs");
    return signs || this.layer.appendChild(draw("g", { class: "signs" }));
  }

  // Shows pieces of a tray, as they are tapped, on the places where they will stand, not in it.
  lay(taps, landings) {
    this.layer.querySelectorAll(".laid").forEach((piece) => piece.remove());
    this.layer.querySelectorAll(".taken").forEach((shape) => shape.classList.remove("taken"));
    const shapes = [...this.layer.querySelectorAll("circle[data-spot]")];
    taps.forEach((spot, at) => {
      const earlier = taps.slice(0, at).filter((tap) => tap === spot).length;
      const from = this.places.get(spot)[earlier];
      const [to] = this.places.get(landings[at]);
      const transform = `translate(${to.x - from.x} ${to.y - from.y})`;
      const piece = draw("g", { class: "laid", transform, "data-at": at });
      for (const shape of shapes.filter((circle) => circle.dataset.spot === spot)) {
        if (away(boxOf(shape), from) > 1) continue;
        const copy = piece.appendChild(shape.cloneNode());
        delete copy.dataset.spot;
        shape.classList.add("taken");
      }
      this.layer.append(piece);
    });
  }
}

const spotsByPicture = new WeakMap();

export function spotsOf(place) {
  const svg = pictureOf(place);
  if (!spotsByPicture.has(svg)) spotsByPicture.set(svg, new Spots(svg));
  return spotsByPicture.get(svg);
}

// Returns the picture in sight, where there are several.
export function pictureOf(place) {
  const svgs = [...place.querySelectorAll("svg.board")];
  return svgs.find((svg) => svg.getClientRects().length) || svgs[0];
}

export const away = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// A spot may lie at several places, as a tile of a legend does. Where shapes lie over each
// other, the last that is about as large as the largest is the one in sight.
function placesOf(svg) {
  const stacks = new Map();
  for (const shape of svg.querySelectorAll(SHAPES)) {
    const box = boxOf(shape);
    const { spot } = shape.dataset;
    if (!stacks.has(spot)) stacks.set(spot, []);
    const stack = stacks.get(spot).find(([first]) => away(first, box) < APART * first.size);
    if (stack) stack.push(box);
    else stacks.get(spot).push([box]);
  }
  const written = new Set([...svg.querySelectorAll("text[data-spot]")].map((text) => text.dataset.spot));
  const places = [...stacks].map(([spot, spotStacks]) => {
    const faces = spotStacks.filter((stack) => stack.some((box) => box.area));
    const isWritten = written.has(spot);
    return [spot, (faces.length ? faces : spotStacks).map((stack) => ({ spot, isWritten, ...uppermost(stack) }))];
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
  if (shape.tagName !== "polygon") return { x: x + width / 2, y: y + height / 2, size, area, lean: 0 };
  // The middle of a triangle is not that of its box.
  const points = [...shape.points];
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return { x: mean("x"), y: mean("y"), size, area, lean: mean("y") - y - height / 2 };
}
