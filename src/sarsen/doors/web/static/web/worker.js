// The service worker: pages come from the server while there is one. Without a connection the
// boards last seen are shown as they were, and a move is kept to be sent later (see offline.js).
// The server writes some addresses above these lines, with the files that every board needs, and
// its key for notices.

const PAGES = "pages"; // of one player: emptied at logout, and when another one comes
const FILES = "files"; // styles, scripts and pictures that everybody may see
const DEVICE = "device"; // by what the server knows this one; see device.js
const QUEUE = "queue"; // moves that wait, by the tokens of their forms; each knows its player
const MAX_AHEAD = 20;
const MAX_PAGES = 80;
const MAX_FILES = 300;
const OWNER = "/kept/owner"; // names in the cache, no addresses of the server
const KEPT_DEVICE = "/kept/device";
const SHOWN_OFFLINE = /^\/(my|boards\/\d+(\/\d+)?(\/text)?)\/$/;
const MOVE = /^\S+ move \d+#\d+( |$)/;

addEventListener("install", (event) => event.waitUntil(prepare()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST") {
    if (request.headers.get("Sarsen-Queued")) return; // the queue looks after itself
    if (url.pathname === BOX) event.respondWith(post(request));
    else if (url.pathname === LOGOUT) event.respondWith(leave(request));
  } else if (request.method === "GET") {
    if (isPage(request)) event.respondWith(page(request, url));
    else if (isFile(url) || isData(url)) event.respondWith(file(request, url));
  }
});

addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keepAll(event.data.keep));
});

addEventListener("push", (event) => event.waitUntil(tell(event.data ? event.data.json() : {})));

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data || START));
});

async function prepare() {
  await skipWaiting();
  const files = await caches.open(FILES);
  // As nobody sees it: it stays when a player logs out.
  await files.put(OFFLINE, await fetch(OFFLINE, { cache: "reload", credentials: "omit" }));
  await files.addAll(NEEDED); // a board that nobody has opened here yet needs them
}

const isPage = (request) =>
  request.mode === "navigate" || (request.headers.get("Accept") || "").startsWith("text/html");

// What a board needs to be pointed at.
const isData = (url) => /^\/boards\/\d+\/[a-z]+\.json$/.test(url.pathname);

const isFile = (url) =>
  url.pathname.startsWith(STATIC) || url.pathname.startsWith("/style/") || url.pathname.endsWith(".svg");

async function page(request, url) {
  try {
    const answer = await fetch(request);
    if (SHOWN_OFFLINE.test(url.pathname) && answer.ok && !answer.redirected && !url.search) {
      await keep(url.pathname, answer.clone());
    }
    return answer;
  } catch (lost) {
    const cached = await (await caches.open(PAGES)).match(url.pathname);
    const isVisit = request.mode === "navigate";
    // A script that asks for something special, such as a move that is tried, gets the error.
    if (cached && (isVisit || !url.search)) return marked(cached);
    if (!isVisit) throw lost;
    return caches.match(OFFLINE);
  }
}

async function file(request, url) {
  try {
    const answer = await fetch(request);
    if (answer.status === 404 && isFile(url)) {
      // A page kept from an older version asks for files that the server has no more.
      return (await caches.match(request, { ignoreVary: true })) || answer;
    }
    const isOwn = isData(url) || /private|no-store/.test(answer.headers.get("Cache-Control"));
    const cache = await caches.open(isOwn ? PAGES : FILES);
    if (answer.status === 200) cache.put(request, answer.clone()).then(() => drop(cache, MAX_FILES));
    return answer;
  } catch (lost) {
    const cached = await caches.match(request, { ignoreVary: true });
    if (cached) return cached;
    throw lost;
  }
}

// Keeps a page of the logged-in player; what was kept for somebody else goes.
async function keep(path, answer) {
  const text = await answer.text();
  const bodyData = (name) => new RegExp(`<body[^>]* data-${name}="([^"]*)"`).exec(text)?.[1] || "";
  await belongTo(bodyData("player"));
  if (!bodyData("player")) return;
  const pages = await caches.open(PAGES);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Sarsen-Kept": Date.now() };
  headers["Sarsen-Event"] = bodyData("stamp").split("-")[0]; // the number of the last one there
  const policy = answer.headers.get("Content-Security-Policy");
  if (policy) headers["Content-Security-Policy"] = policy;
  await pages.delete(path); // so that it becomes the newest
  await pages.put(path, new Response(text, { headers }));
  await drop(pages, MAX_PAGES);
}

// Moves that wait are never deleted here: they name their player, and are sent for no other.
async function belongTo(player) {
  const owner = await (await caches.open(PAGES)).match(OWNER);
  if (owner && (await owner.text()) === player) return;
  await caches.delete(PAGES);
  if (player) await (await caches.open(PAGES)).put(OWNER, new Response(player));
}

// The oldest go; the owner's name was written first and is written again.
async function drop(cache, most) {
  const old = (await cache.keys()).slice(0, -most);
  for (const request of old) if (!request.url.endsWith(OWNER)) await cache.delete(request);
}

// Keeps the boards of a list, each but once while nothing happens there.
async function keepAll(boards) {
  for (const { path, event } of boards.slice(0, MAX_AHEAD)) {
    const cached = await (await caches.open(PAGES)).match(path);
    if (!SHOWN_OFFLINE.test(path) || cached?.headers.get("Sarsen-Event") === event) continue;
    const headers = { Accept: "text/html", "Sarsen-Background": "yes" };
    const answer = await fetch(path, { headers }).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const moves = / data-moves="([^"?]+)/.exec(await answer.clone().text());
    await keep(path, answer);
    if (!moves) continue;
    const pages = await caches.open(PAGES); // what was kept for somebody else is gone with its cache
    await pages.add(moves[1]).catch(() => {}); // it can still be read
  }
}

// Marks a page as one that was kept: it says itself what that means.
async function marked(cached, fact = "kept") {
  const text = await cached.text();
  const when = cached.headers.get("Sarsen-Kept") || "";
  const headers = new Headers(cached.headers);
  headers.delete("Content-Encoding"); // the text is not packed any more
  return new Response(text.replace("<html", `<html data-${fact}="${when}"`), { headers });
}

async function post(request) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch {
    const form = new URLSearchParams(await copy.formData());
    const line = [form.get("line"), ...form.getAll("rest")].join(" ").trim();
    const isMove = form.get("command") === "move" || MOVE.test(line);
    const isKept = isMove && form.get("ply") && form.get("token");
    if (!isKept) return marked(await caches.match(OFFLINE), "posted");
    await (await caches.open(QUEUE)).put(`/queued/${form.get("token")}`, new Response(form));
    // The page of the board, from what is kept, says that the move waits.
    return Response.redirect(form.get("back") || START, 303);
  }
}

async function leave(request) {
  const answer = await fetch(request);
  await caches.delete(PAGES);
  await caches.delete(DEVICE);
  return answer;
}

async function tell({ title = "sarsen", text = "", url = START, tag }) {
  await registration.showNotification(title, { body: text, tag, renotify: Boolean(tag), icon: ICON, data: url });
}

// The browser has given its endpoint up: the server gets the new one, and recognises the
// device by the secret of the old one.
async function renew({ oldSubscription, newSubscription }) {
  const stored = await caches.match(KEPT_DEVICE);
  const former = oldSubscription?.toJSON() || (stored && (await stored.json()));
  if (!former || !PUSH_KEY) return;
  const options = { userVisibleOnly: true, applicationServerKey: PUSH_KEY };
  const subscription = newSubscription || (await registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({
    former: former.endpoint,
    former_secret: former.keys.auth,
    endpoint,
    public: keys.p256dh,
    secret: keys.auth,
  });
  const answer = await fetch(RENEW, { method: "POST", body });
  if (answer.ok) await (await caches.open(DEVICE)).put(KEPT_DEVICE, Response.json(subscription));
}

async function open(url) {
  const address = new URL(url, location.origin).href;
  const tabs = await clients.matchAll({ type: "window" });
  const tab = tabs.find((tab) => tab.url === address) || tabs[0];
  if (!tab) return clients.openWindow(address);
  if (tab.url !== address) await tab.navigate(address).catch(() => clients.openWindow(address));
  return tab.focus();
}
