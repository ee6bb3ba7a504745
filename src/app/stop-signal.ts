import process from "node:process";

/** One Ctrl-C may arrive twice, from the terminal and from npm: what comes this soon after the first is the same. */
const SAME_SIGNAL_MS = 1_000;

/** Is aborted at the first SIGINT or SIGTERM; a second one, of a person who won't wait, ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    firstAt ??= performance.now();
    stopping.abort(new Error("stopped by a signal"));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return stopping.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
