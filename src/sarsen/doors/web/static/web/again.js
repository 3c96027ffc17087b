// Repeats what fails while the server does not answer, with longer and longer pauses.

const SOONEST = 1000; // milliseconds until the second trial
const LATEST = 30_000;

// Calls `trial` until it returns something true, and returns that. The browser says that there is
// a connection before every part of it has one: the trial after that event may fail, too.
export async function untilDone(trial) {
  for (let pause = SOONEST; ; pause = Math.min(2 * pause, LATEST)) {
    const result = await trial();
    if (result) return result;
    await new Promise((again) => {
      setTimeout(again, pause);
      addEventListener("online", again, { once: true });
    });
  }
}
