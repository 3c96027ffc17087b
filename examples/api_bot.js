// A program that plays over the API, in JavaScript: node api_bot.js druid -size=4
// It challenges bot1 (or OPPONENT), plays by chance, and prints how the game ended. Needs Node 18.
// SARSEN_SERVER is the address of the server, SARSEN_TOKEN a token with `read` and `play`.
const server = process.env.SARSEN_SERVER ?? "http://127.0.0.1:8000";
const headers = {
  Authorization: `Bearer ${process.env.SARSEN_TOKEN}`,
  "Content-Type": "application/json",
};

// Return the answer to a request, which is sent again while the server is away.
async function send(path, asked, read = (answer) => answer) {
  for (;;) {
    try {
      const answer = await fetch(`${server}/api/v1/${path}`, asked);
      if (answer.ok) return await read(answer);
      const { status } = answer;
      const { code, detail, hint } = await answer.json().catch(() => ({ code: status }));
      const refusal = new Error(`${code}: ${detail} ${hint}`);
      throw status < 500 ? Object.assign(refusal, { status }) : refusal;
    } catch (failed) {
      if (failed.status) throw failed; // refused, not away
      console.error(`The server is away: ${failed.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// A request with a key is done once, however often it is sent.
async function ask(method, path, body) {
  const key = body && { "Idempotency-Key": crypto.randomUUID() };
  const asked = { method, headers: { ...headers, ...key }, body: body && JSON.stringify(body) };
  return send(path, asked, (answer) => answer.json());
}

// Yield the events of our boards for ever: where a stream was cut off, the next goes on.
async function* events() {
  for (let last; ; ) {
    const answer = await send(`events${last === undefined ? "" : `?since=${last}`}`, { headers });
    let text = "";
    try {
      for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
        const lines = (text + bytes).split("\n");
        text = lines.pop();
        for (const line of lines.filter(Boolean)) {
          const event = JSON.parse(line);
          last = event.id;
          yield event;
        }
      }
    } catch (failed) {
      console.error(`The connection broke: ${failed.message}`);
    }
  }
}

const [game, ...options] = process.argv.slice(2);
if (!game) {
  console.error("Which game? For example: node api_bot.js druid -size=4");
  process.exit(2);
}
const names = ["me", process.env.OPPONENT ?? "bot1"];
const challenge = { game, options: options.join(" "), terms: [], names };
const started = await ask("POST", "commands/challenge", challenge);
console.log(started.text);
let number = started.reply.board; // null until a person has accepted
for await (const _ of events()) {
  number ??= (await ask("GET", `challenges/${started.reply.number}`)).board;
  if (!number) continue;
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
