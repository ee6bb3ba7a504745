/**
 * Ends its process when that holds too much memory or the service is gone. A thread, because a hostile file keeps the main thread
 * busy; it looks at the whole process, because V8's limit does not count the buffers into which archives and PDF streams unpack.
 */
import { parentPort } from "node:worker_threads";

const WATCH_INTERVAL_MS = 25; // hostile files grew by at most 0.4 GB/s: 10 MB between two looks

const limitBytes = Number(process.argv[2]) * 1024 * 1024;
const parent = process.ppid;

const look = () => {
  if (process.memoryUsage.rss() > limitBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
};
look();
parentPort?.postMessage("watching");
setInterval(look, WATCH_INTERVAL_MS);
