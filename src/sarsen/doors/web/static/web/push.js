// Switches notices on this device on, and off again: asks the browser, and tells the server.

const form = document.querySelector("form[data-push]");
const none = document.querySelector("[data-push-none]");
const end = document.querySelector("form[data-push-end]");

function show(name) {
  for (const one of form.querySelectorAll("[role=alert]")) one.hidden = !(name in one.dataset);
}

function numbers(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // One under an older key of the server would never be sent to.
  if (before) await before.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: numbers(key) });
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return show("pushRefused");
  try {
    const subscription = await subscribed(form.dataset.push);
    const { endpoint, keys } = subscription.toJSON();
    // Should the browser change it, the worker says by this which device it was.
    await (await caches.open("device")).put("/kept/device", Response.json(subscription));
    Object.entries({ endpoint, public: keys.p256dh, secret: keys.auth }).forEach(([name, value]) => {
      form.elements[name].value = value;
    });
    form.submit();
  } catch {
    show("pushFailed");
  }
}

if (form && "PushManager" in window && "Notification" in window && "serviceWorker" in navigator) {
  form.hidden = false;
  none.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    switchOn();
  });
}

end?.addEventListener("submit", async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  if (subscription) await subscription.unsubscribe();
});
