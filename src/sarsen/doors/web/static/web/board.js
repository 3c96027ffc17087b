// Lets a move be made by pointing at a board: at its spots, one after the other.
//
//   const board = new Board(place, view); // an element that holds an `svg.board`; its View
//
// The place says `data-moves`: where the moves of its position are, in the form of
// drawing/taps.py, and `data-reason`, if it likes: where the rule is found by which a tap makes
// no move. In it stands web/board/pointing.html. While something is tapped it has `data-busy`.
// It gets two events:
//
// `board:move`, detail { move, taps, others, due }: a move is made; nothing is sent anywhere,
//   and further taps are ignored until reset(). `others` are the moves that only another last
//   tap would have made, each with the picture of its piece if a legend has one; `due` are the taps left where it was clear before its last one.
// `board:taps`: what is tapped has changed, and so what may follow.

import { button, make, untilDone } from "./elements.js";
import { away, spotsOf } from "./spots.js";

const CLOSE = 24; // pixels from spot to spot; a finger does not tell apart what is closer
const DRAGGED = 8; // pixels from where a piece was pressed
const MAX_LIT = 150;
const MAX_BUTTONS = 6; // places that are buttons, too
const LIGHT = { first: 0.11, further: 0.3 }; // of a spot's size
const SIGN = 0.42;
const isTree = (below) => typeof below === "object" && !Array.isArray(below);

export class Board {
  constructor(place, view = null) {
    const panel = place.querySelector(".pointed"); // has the words of the page as attributes
    Object.assign(this, { place, view, panel, words: panel.dataset });
    this.tree = {};
    this.prompts = []; // what to say before the first tap, after it, and so on
    this.landings = []; // where pieces of a tray stand, tap by tap
    this.ways = {}; // the way through the picture that some taps mean
    this.held = null; // what is pressed and may be dragged
    this.taps = [];
    const ending = new AbortController();
    const { signal } = ending;
    place.addEventListener("click", (event) => this.isDropped || this.point(event));
    place.addEventListener("pointerdown", (event) => this.hold(event));
    place.addEventListener("pointermove", (event) => this.drag(event));
    place.addEventListener("pointerup", (event) => this.drop(event));
    place.addEventListener("pointercancel", (event) => this.drop(event));
    // A finger that drags a piece scrolls nothing.
    place.addEventListener("touchmove", (event) => this.held && event.preventDefault(), { passive: false });
    place.addEventListener("pointerleave", () => this.aimAt(""), { capture: true });
    addEventListener("keydown", (event) => this.press(event), { signal });
    document.addEventListener("sarsen:lost", () => this.isMade && this.reset(), { signal });
    document.addEventListener("sarsen:swapped", () => place.isConnected || ending.abort(), { signal });
    this.ready = this.load();
  }

  // A server that is away for a moment leaves no dead board.
  async load() {
    const { moves, prompts, landings, ways } = await untilDone(() => this.ask());
    if (!this.place.isConnected) return;
    Object.assign(this, { tree: moves, prompts, landings, ways });
    this.place.classList.add("pointable");
    this.show();
  }

  async ask() {
    if (!this.place.isConnected) return {};
    const answer = await fetch(this.place.dataset.moves).catch(() => null);
    if (answer?.ok) return answer.json();
    this.say(make("p", {}, this.words.asking));
    return null;
  }

  get spots() {
    return spotsOf(this.place);
  }

  // A move is put together from pieces of a tray.
  get hasTray() {
    return this.landings.length + this.legend.size > 0;
  }

  // Pictures of what may be chosen next in a legend, by spot.
  get legend() {
    const { taps, landings, next } = this;
    return landings.length || !taps.length || !next.size ? new Map() : this.spots.legend(next, taps.at(-1));
  }

  // What follows the taps so far.
  get node() {
    return this.taps.reduce((node, spot) => node[spot], this.tree);
  }

  get next() {
    return new Set(Object.keys(this.node).filter(Boolean));
  }

  tap(spot) {
    if (this.isMade) return true;
    this.refuse("");
    if (!Object.hasOwn(this.node, spot)) {
      if (spot && spot === this.taps.at(-1) && this.node[""]) return this.take(this.node[""]);
      if (this.landings.length) return true; // there is no such piece any more
      if (!Object.hasOwn(this.tree, spot)) return false;
      this.taps = []; // tapping elsewhere starts over
    }
    return this.take(this.node[spot], spot);
  }

  // Goes on with what a tap leads to: a move, several, or further taps.
  take(below, spot = "") {
    const [move, ...further] = movesOf(below);
    if (!further.length) {
      this.make(move, spot, tapsOf(below));
    } else if (isTree(below)) {
      if (spot) this.taps.push(spot);
      this.show();
    } else {
      this.choose(below, this.words.which, "{move}");
    }
    return true;
  }

  make(move, spot, due) {
    const { legend } = this;
    const beside = Object.entries(this.node).flatMap(([last, below]) =>
      isTree(below) ? [] : [below].flat().map((text) => ({ move: text, picture: legend.get(last) })),
    );
    const others = this.taps.length ? beside : [];
    const taps = spot ? [...this.taps, spot] : this.taps;
    this.mark(taps, new Set());
    this.place.dataset.busy = "";
    this.isMade = true;
    this.tell("board:move", { move, taps, others, due });
  }

  // Takes the last tap back, or all but some.
  back(count = this.taps.length - 1) {
    this.taps = this.taps.slice(0, count);
    this.show();
  }

  reset() {
    this.back(0);
  }

  // Taps again what leads on.
  resume(taps) {
    for (const spot of taps) if (this.next.has(spot)) this.taps.push(spot);
    this.show();
  }

  show() {
    this.isMade = false;
    const isTapped = this.taps.length > 0;
    this.mark(this.taps, this.next);
    this.aimAt("");
    this.place.classList.toggle("tapping", isTapped);
    this.place.toggleAttribute("data-busy", isTapped);
    this.prompt(isTapped);
    if (isTapped) uncover(this.spots.svg, this.panel);
    this.tell("board:taps");
  }

  // Marks what is tapped and what may follow; pieces of a tray appear where they will stand.
  mark(taps, next) {
    const { spots, landings } = this;
    if (landings.length) spots.lay(taps, landings);
    spots.sign("tapped", landings.length ? [] : taps, SIGN);
    const isPlain = !taps.length && next.size > MAX_LIT; // a picture shows so many itself
    const lit = landings.length ? landings.slice(taps.length).slice(0, 1) : next;
    const isOver = isPlain || !next.size || (next.size && this.legend.size);
    spots.sign("light", isOver ? [] : lit, taps.length ? LIGHT.further : LIGHT.first, !taps.length);
  }

  tell(name, detail) {
    this.place.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  // A tap that is quicker than the moves waits for them; of several the last.
  async point(event) {
    const { clientX: x, clientY: y, target, pointerType } = event;
    if (!target.closest("svg.board")) return;
    this.latest = event;
    await this.ready;
    if (this.latest !== event || !this.place.isConnected) return;
    const { spots, next } = this;
    const laid = target.closest(".laid");
    if (laid && !this.isMade) return this.back(Number(laid.dataset.at));
    const isSmall = pointerType !== "mouse" && event.type === "click" && spots.apart(x, y, next) < CLOSE;
    if (isSmall && this.view?.closer(event)) return; // the finger points again
    const under = spots.under(x, y);
    const spot =
      spots.meant(x, y, next) ||
      under.find((candidate) => candidate === this.taps.at(-1)) ||
      spots.meant(x, y, new Set(Object.keys(this.tree)));
    if (!spot || !this.tap(spot)) this.miss(under[0] || "");
  }

  // A spot that makes no move takes back what is tapped; not what stands in a tray.
  miss(spot) {
    if (this.landings.length) return;
    this.explain(spot);
    this.reset();
  }

  // A piece that goes somewhere is pressed; or the last one tapped, once more.
  hold({ target, clientX: x, clientY: y, isPrimary }) {
    this.held = null;
    this.isDropped = false;
    if (!isPrimary || this.isMade || this.landings.length || !target.closest("svg.board")) return;
    const spot = this.spots.meant(x, y, this.next);
    const isTapped = this.spots.under(x, y).includes(this.taps.at(-1));
    if (spot ? isTree(this.node[spot]) : isTapped) this.held = { spot, x, y };
  }

  drag({ pointerType, target, clientX: x, clientY: y }) {
    const { held } = this;
    if (held && !held.isDragged && away(held, { x, y }) > DRAGGED) {
      held.isDragged = true;
      if (held.spot) this.tap(held.spot);
      if (this.legend.size) this.held = null;
    }
    if (this.held?.isDragged) this.spots.carry(this.taps.at(-1), x, y);
    else if (pointerType !== "mouse" || !target.closest("svg.board")) return;
    const spot = this.isMade ? "" : this.spots.meant(x, y, this.next);
    if (spot !== this.aimedAt) this.aimAt(spot);
  }

  // What is dropped where it came from stays tapped.
  drop(event) {
    this.isDropped = Boolean(this.held?.isDragged) && event.type === "pointerup";
    this.held = null;
    this.spots.carry("");
    const under = this.spots.under(event.clientX, event.clientY);
    if (this.isDropped && !under.includes(this.taps.at(-1))) this.point(event);
  }

  aimAt(spot) {
    this.aimedAt = spot;
    this.spots.sign("aim", spot ? [spot] : [], SIGN);
    this.place.classList.toggle("aiming", Boolean(spot));
    this.spots.trace(this.ways[[...this.taps, spot].join("-")] || this.ways[this.taps.join("-")]);
  }

  press(event) {
    if (event.key !== "Escape" || event.defaultPrevented || !this.taps.length) return;
    event.preventDefault();
    this.back();
  }

  // Asks which rule refuses what was tapped, and shows it there.
  async explain(spot) {
    const { reason } = this.place.dataset;
    if (!reason || !spot) return;
    const address = new URL(reason, location.href);
    address.searchParams.append("try", [...this.taps, spot].join("-"));
    const answer = await fetch(address).catch(() => null);
    const { text, move } = answer?.ok ? await answer.json() : {};
    if (this.taps.length || this.isMade) return;
    if (move) this.make(move, spot, []); // a lesson asks for a move that is refused
    else if (text) this.refuse(text, spot);
  }

  // Says beside the board what is tapped so far and what may follow.
  prompt(isTapped) {
    const { words, prompts, taps, node } = this;
    const next = [...this.next];
    const prompt = prompts[Math.min(taps.length, prompts.length - 1)] || (isTapped ? words.words : "");
    const complete = [node[""] || []].flat(); // moves that these taps are already
    const buttons = complete.map((move) => this.offer(move));
    if (isTapped && next.length <= MAX_BUTTONS) {
      buttons.push(...next.map((spot) => withPicture(button(spot, () => this.tap(spot)), this.legend.get(spot))));
    }
    if (taps.length > 1) buttons.push(button(words.back, () => this.back()));
    if (isTapped) buttons.push(button(words.over, () => this.reset()));
    const begun = isTapped ? [make("code", {}, `${start(movesOf(node)) || taps.join(" ")} …`), " "] : [];
    const line = make("p", {}, ...begun, prompt);
    this.panel.classList.toggle("waits", isTapped);
    this.say(...(next.length && prompt ? [line] : []), make("p", { className: "choices" }, ...buttons));
    this.panel.hidden = !prompt && !complete.length;
  }

  say(...lines) {
    this.panel.replaceChildren(...lines);
    this.panel.hidden = false;
  }

  offer(move, words = this.words.spoken, press = () => this.take(move)) {
    return button(words.replace("{move}", move), press, "");
  }

  // Has one of some moves confirmed, after a sentence.
  choose(moves, sentence, words = this.words.spoken, press = undefined) {
    const buttons = moves.map((move) => this.offer(move, words, press));
    buttons.push(button(this.words.over, () => this.reset()));
    this.say(...(sentence ? [make("p", {}, sentence)] : []), make("p", { className: "choices" }, ...buttons));
  }

  // Shows below the board why something is no move, and marks the spot; "" takes that away.
  refuse(text, spot = "") {
    this.spots.sign("refused", text && spot ? [spot] : [], SIGN);
    this.panel.querySelector(".why")?.remove();
    if (!text) return;
    this.panel.prepend(make("p", { className: "why", role: "alert" }, text));
    this.panel.hidden = false;
    this.panel.classList.add("waits");
    uncover(this.spots.svg, this.panel);
  }
}

// Shows the picture of a piece on a button, which keeps its word for those who do not see it.
export function withPicture(element, picture) {
  if (picture) element.replaceChildren(picture, make("span", { className: "unseen" }, element.textContent));
  element.classList.toggle("pictured", Boolean(picture));
  return element;
}

// Scrolls a board up from under a panel that stays at the foot of the window.
export function uncover(svg, panel) {
  const { top, bottom, right } = (svg.closest(".view") || svg).getBoundingClientRect();
  const over = panel.getBoundingClientRect();
  if (over.left < right) scrollBy(0, Math.max(Math.min(bottom - over.top, top), 0));
}

function movesOf(below) {
  if (!isTree(below)) return [below].flat();
  return Object.values(below).flatMap(movesOf);
}

const tapsOf = (below) =>
  isTree(below) ? Object.entries(below).flatMap(([spot, further]) => [spot, ...tapsOf(further)]) : [];

// How all of these moves begin.
function start(moves) {
  let common = moves[0];
  for (const move of moves) while (!move.startsWith(common)) common = common.slice(0, -1);
  return common.replace(/[-=x]+$/, "");
}
