import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

// The thread of `watchHealth`: asks until it is sent a message, and answers with the times.

/** Ten a second: a probe is a light thing, and a thousand in two minutes are enough for a 99th percentile. */
const EVERY_MS = 100;

const url = z.string().parse(workerData);
const times: number[] = [];
let isEnding = false;
parentPort?.once("message", () => {
  isEnding = true;
});
while (!isEnding) {
  const started = performance.now();
  const answer = await fetch(url);
  await answer.text();
  if (answer.status !== 200) throw new Error(`/health: ${answer.status}`);
  times.push(performance.now() - started);
  await sleep(EVERY_MS);
}
parentPort?.postMessage(times);
