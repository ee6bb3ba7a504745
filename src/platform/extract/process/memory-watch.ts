/**
 * A thread of an extraction process that ends the process when it holds more memory than allowed, or when the service
 * that started it is gone. It must be a thread, because a hostile file keeps the main thread busy; and it must look at
 * the whole process, because V8's own limit does not count buffers, into which archives and PDF streams unpack.
 */
const WATCH_INTERVAL_MS = 25; // hostile files grew by 0.4 GB/s at most: 10 MB between two looks

const limitBytes = Number(process.argv[2]) * 1024 * 1024;
const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > limitBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, WATCH_INTERVAL_MS);
