// Says beside a board what is tapped so far and what may follow, in the words of the page.

const MOST = 6; // places that are buttons, too

export class Told {
  // The element has the words as attributes; see web/pointing.html.
  constructor(element, board) {
    this.element = element;
    this.board = board;
  }

  show({ taps, next, whole, moves }) {
    if (!this.element) return;
    const { words, spoken, over } = this.element.dataset;
    const { prompts } = this.board;
    const prompt = prompts[Math.min(taps.length, prompts.length - 1)] || (taps.length ? words : "");
    this.element.hidden = !prompt && !whole;
    this.element.classList.toggle("waits", taps.length > 0);
    const line = paragraph(taps.length ? start(moves) || taps.join(" ") : "", prompt);
    const buttons = row([]);
    for (const move of [whole].flat().filter(Boolean)) {
      buttons.append(button(spoken.replace("{move}", move), () => this.board.take(move), ""));
    }
    if (taps.length && next.length <= MOST) {
      for (const spot of next) buttons.append(button(spot, () => this.board.tap(spot)));
    }
    if (taps.length > 1) buttons.append(button(this.element.dataset.back, () => this.board.back()));
    if (taps.length) buttons.append(button(over, () => this.board.reset()));
    this.element.replaceChildren(...(next.length ? [line] : []), buttons);
  }

  // Lets one say which of several moves is meant, or that the only one is, after `said`.
  choose(moves, press = (move) => this.board.take(move), said = "") {
    const { which, spoken, over } = this.element.dataset;
    const words = (move) => (moves.length > 1 ? move : spoken.replace("{move}", move));
    const buttons = row(moves.map((move) => button(words(move), () => press(move), "")));
    buttons.append(button(over, () => this.board.reset()));
    const asked = moves.length > 1 ? which : said;
    this.element.replaceChildren(...(asked ? [paragraph("", asked)] : []), buttons);
    this.element.hidden = false;
  }

  // Shows below the board why something is no move, and marks the spot; "" takes that away.
  refuse(text, spot = "") {
    this.board.spots.sign("refused", text && spot ? [spot] : [], 0.42);
    if (!this.element) return;
    this.element.querySelector(".why")?.remove();
    if (!text) return;
    const line = paragraph("", text);
    line.className = "why";
    line.setAttribute("role", "alert");
    this.element.prepend(line);
    this.element.hidden = false;
    this.element.classList.add("waits");
    uncover(this.board.spots.svg, this.element);
  }

  // Says that the moves of the board have not come yet, and are asked for again.
  wait() {
    if (!this.element) return;
    this.element.replaceChildren(paragraph("", this.element.dataset.asking));
    this.element.hidden = false;
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

function paragraph(code, words) {
  const line = document.createElement("p");
  if (code) {
    const shown = document.createElement("code");
    shown.textContent = `${code} …`;
    line.append(shown, " ");
  }
  line.append(words);
  return line;
}

function row(buttons) {
  const line = document.createElement("p");
  line.className = "choices";
  line.append(...buttons);
  return line;
}

function button(words, press, kind = "plain") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = words;
  made.addEventListener("click", press);
  return made;
}
