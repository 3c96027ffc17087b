// A program that plays over the API, in JavaScript: node api_bot.js druid -size=4
// It challenges bot1 (or OPPONENT), plays by chance, and prints how the game ended. Needs Node 18.
// SARSEN_SERVER is the address of the server, SARSEN_TOKEN a token with `read` and `play`.
const server = process.env.SARSEN_SERVER ?? "http://127.0.0.1:8000";
const headers = {
  Authorization: `Bearer ${process.env.SARSEN_TOKEN}`,
  "Content-Type": "application/json",
};

async function ask(method, path, body) {
  const asked = { method, headers, body: body && JSON.stringify(body) };
  const answer = await fetch(`${server}/api/v1/${path}`, asked);
  const facts = await answer.json();
  if (!answer.ok) throw new Error(`${facts.code}: ${facts.detail} ${facts.hint ?? ""}`);
  return facts;
}

// Yield the events of our boards for ever: where a stream was cut off, the next goes on.
async function* events() {
  for (let last = ""; ; ) {
    const since = last && `?since=${last}`;
    const answer = await fetch(`${server}/api/v1/events${since}`, { headers });
    if (!answer.ok) throw new Error(`The stream is refused: ${answer.status}`);
    let text = "";
    for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
      const lines = (text + bytes).split("\n");
      text = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const event = JSON.parse(line);
        last = event.id;
        yield event;
      }
    }
  }
}

const [game, ...options] = process.argv.slice(2);
const names = ["me", process.env.OPPONENT ?? "bot1"];
const challenge = { game, options: options.join(" "), terms: [], names };
const started = await ask("POST", "commands/challenge", challenge);
const number = started.reply.board;
console.log(started.text);
for await (const _ of events()) {
  const board = await ask("GET", `boards/${number}`);
  if (board.scores) {
    console.log(`The game is over: ${board.result}`);
    process.exit(0);
  }
  if (!board.own.seats.includes(board.to_move)) continue;
  const text = board.legal_moves[Math.floor(Math.random() * board.legal_moves.length)];
  const move = { board: number, text, ply: board.ply + 1, event: board.event };
  console.log((await ask("POST", "commands/move", move)).text.split("\n")[0]);
}
