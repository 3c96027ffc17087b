// Moves made without a connection. The worker keeps their forms; here they are sent, once:
// the token of its form is the name of a request, and a board that has gone on refuses it.

const QUEUE = "queue";
const BOX = "/do/";
const NEED_LOGIN = ["who-speaks", "session-over"];

// Gives the moves that wait.
export async function queued() {
  if (!(await caches.has(QUEUE))) return [];
  const queue = await caches.open(QUEUE);
  const forms = [];
  for (const key of await queue.keys()) {
    const kept = await queue.match(key);
    const [, board, move] = /(\d+)#\d+ (.*)$/.exec(kept.headers.get("Sarsen-Line")) || ["", "", ""];
    const body = await kept.text();
    forms.push({ key, board, move, body, player: new URLSearchParams(body).get("as") });
  }
  return forms;
}

// Sends those of a player in turn, in one window at a time; returns how it went: sent, refused,
// login, or away for the first that the server did not answer.
export async function sendQueued(player) {
  const own = async () => (await queued()).filter((form) => form.player === player);
  if (!(await own()).length) return [];
  return navigator.locks.request(QUEUE, async () => {
    const queue = await caches.open(QUEUE);
    const results = [];
    for (const form of await own()) {
      const { how, text } = await sendOne(form.body);
      results.push({ ...form, how, text });
      if (how === "away") break;
      if (how !== "login") await queue.delete(form.key);
    }
    return results;
  });
}

async function sendOne(body) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sarsen-Queued": "yes" };
  const answer = await fetch(BOX, { method: "POST", body, headers }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  if (typeof text !== "string" || answer.status >= 500) return { how: "away" };
  const page = new DOMParser().parseFromString(text, "text/html");
  const refusal = page.querySelector(".refusal");
  const code = refusal?.querySelector(".code")?.textContent.trim();
  if (answer.status === 403 || NEED_LOGIN.includes(code)) return { how: "login", text: "" };
  if (refusal) return { how: "refused", text: refusal.querySelector("p").textContent.trim() };
  if (!answer.ok) return { how: "refused", text: page.querySelector("h1")?.textContent || "" };
  return { how: "sent", text: page.querySelector(".done")?.textContent.trim() || "" };
}
