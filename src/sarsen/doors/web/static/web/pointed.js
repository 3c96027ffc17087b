// Says beside a board what is tapped so far and what may follow, in the words of the page.

import { button, make } from "./make.js";

const MOST = 6; // places that are buttons, too

export class Told {
  // The element has the words as attributes; see web/board/pointing.html.
  constructor(element, board) {
    this.element = element;
    this.board = board;
  }

  show({ taps, next, whole, moves }) {
    if (!this.element) return;
    const { board } = this;
    const { words, back, over } = this.element.dataset;
    const prompt = board.prompts[Math.min(taps.length, board.prompts.length - 1)] || (taps.length ? words : "");
    const buttons = [whole].flat().filter(Boolean).map((move) => this.offer(move));
    if (taps.length && next.length <= MOST) {
      buttons.push(...next.map((spot) => button(spot, () => board.tap(spot))));
    }
    if (taps.length > 1) buttons.push(button(back, () => board.back()));
    if (taps.length) buttons.push(button(over, () => board.reset()));
    const begun = taps.length ? [make("code", {}, `${start(moves) || taps.join(" ")} …`), " "] : [];
    const line = make("p", {}, ...begun, prompt);
    this.element.classList.toggle("waits", taps.length > 0);
    this.say(...(next.length ? [line] : []), make("p", { className: "choices" }, ...buttons));
    this.element.hidden = !prompt && !whole;
  }

  say(...lines) {
    if (!this.element) return;
    this.element.replaceChildren(...lines);
    this.element.hidden = false;
  }

  offer(move, words = this.element.dataset.spoken, press = () => this.board.take(move)) {
    return button(words.replace("{move}", move), press, "");
  }

  // Lets one say which of several moves is meant, or that the only one is, after `said`.
  choose(moves, press, said = "") {
    const { which, spoken, over } = this.element.dataset;
    const isSeveral = moves.length > 1;
    const words = isSeveral ? which : said;
    const buttons = moves.map((move) => this.offer(move, isSeveral ? "{move}" : spoken, press));
    buttons.push(button(over, () => this.board.reset()));
    this.say(...(words ? [make("p", {}, words)] : []), make("p", { className: "choices" }, ...buttons));
  }

  // Shows below the board why something is no move, and marks the spot; "" takes that away.
  refuse(text, spot = "") {
    this.board.spots.sign("refused", text && spot ? [spot] : [], 0.42);
    if (!this.element) return;
    this.element.querySelector(".why")?.remove();
    if (!text) return;
    this.element.prepend(make("p", { className: "why", role: "alert" }, text));
    this.element.hidden = false;
    this.element.classList.add("waits");
    uncover(this.board.spots.svg, this.element);
  }

  // Says that the moves of the board have not come yet, and are asked for again.
  wait() {
    this.say(make("p", {}, this.element?.dataset.asking));
  }
}

// Scrolls a board up from under a panel that stays at the foot of the window.
export function uncover(svg, panel) {
  const { top, bottom } = svg.getBoundingClientRect();
  const edge = panel.getBoundingClientRect().top;
  scrollBy(0, Math.max(Math.min(bottom - edge, top), 0));
}

// How all of these moves begin.
function start(moves) {
  let common = moves[0];
  for (const move of moves) while (!move.startsWith(common)) common = common.slice(0, -1);
  return common.replace(/[-=x]+$/, "");
}
