import { memoryUsage } from "node:process";

// Loaded into a service that is watched, by `--expose-gc --import`: says again and again how much of the heap is left
// when all that nobody needs is gone. Between two collections the heap says nothing about leaks.
const EVERY_MS = 10_000;

setInterval(() => {
  globalThis.gc?.();
  process.stderr.write(`heap after collection: ${memoryUsage().heapUsed}\n`);
}, EVERY_MS).unref();
