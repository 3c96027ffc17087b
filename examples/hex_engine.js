// An engine in another language: it plays Hex by the protocol of docs/engine.md.
//
//     sarsen match "node examples/hex_engine.js" random --game hex -size=5 --games 10
//     sarsen bot --engine "node examples/hex_engine.js" --accept hex
//
// It goes where it needs few further stones and the other side many. Needs Node and nothing else.

const readline = require("readline");

const BESIDE = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]];
const COMMANDS = ["list_commands", "set_options", "clear_board", "play", "genmove", "quit"];
let size = 11;
let stones = new Map(); // cell -> side: 0 joins top and bottom, 1 left and right
let turn = 0;

const name = (column, row) => String.fromCharCode(97 + column) + (row + 1);

// Stones that a side still needs to join its edges; Infinity when it never can.
function needed(side) {
  const costs = new Map();
  let queue = [];
  const reach = (column, row, before) => {
    if (column < 0 || row < 0 || column >= size || row >= size) return;
    const cell = name(column, row);
    const owner = stones.get(cell);
    if (owner === 1 - side) return;
    const cost = before + (owner === side ? 0 : 1);
    if (cost >= (costs.get(cell) ?? Infinity)) return;
    costs.set(cell, cost);
    queue.push([cost, column, row]);
  };
  for (let at = 0; at < size; at += 1) reach(side ? 0 : at, side ? at : 0, 0);
  while (queue.length) {
    queue.sort((one, other) => other[0] - one[0]);
    const [cost, column, row] = queue.pop();
    if ((side ? column : row) === size - 1) return cost;
    for (const [right, down] of BESIDE) reach(column + right, row + down, cost);
  }
  return Infinity;
}

function choose(side) {
  let best = null;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const cell = name(column, row);
      if (stones.has(cell)) continue;
      const middle = Math.abs(2 * row + 1 - size) + Math.abs(2 * column + 1 - size);
      stones.set(cell, side);
      const value = needed(side) - needed(1 - side) + middle / 1000;
      stones.delete(cell);
      if (!best || value < best[0]) best = [value, cell];
    }
  }
  return best[1];
}

function play(cell) {
  stones.set(cell, turn % 2);
  turn += 1;
}

function answer(command, words) {
  if (command === "list_commands") return COMMANDS.join("\n");
  if (command === "set_options") size = Number(/-size=(\d+)/.exec(words.join(" "))?.[1] ?? 11);
  if (command === "clear_board") [stones, turn] = [new Map(), 0];
  if (command === "play") play(words[1]);
  if (command !== "genmove") return "";
  const cell = choose(turn % 2);
  play(cell);
  return cell;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  if (!command) return;
  const known = COMMANDS.includes(command);
  process.stdout.write(known ? `= ${answer(command, words)}\n\n` : "? unknown command\n\n");
  if (command === "quit") process.exit();
});
