import { spawn } from "node:child_process";
import { text as readText } from "node:stream/consumers";
import { peakMemoryMb } from "../../check-benchmark.ts";
import { PeerMissing } from "../peer-job.ts";

/** Far more than a tool may take: this ends one that compares too slowly for the set. */
const TIMEOUT_MS = 15 * 60_000;

/** How often the memory of the program is read: its high-water mark is gone once it has ended. */
const LOOK_MS = 100;

export type MeasuredRun = { readonly stdout: string; readonly seconds: number; readonly memoryMb: number };

/** Runs a program to its end. @throws PeerMissing when it is not installed; Error when it fails or takes 15 minutes. */
export async function measuredRun(
  command: string,
  args: readonly string[],
  { input = "", missing }: { readonly input?: string; readonly missing: string },
): Promise<MeasuredRun> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], timeout: TIMEOUT_MS });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", (cause) => reject(new PeerMissing(missing, { cause })));
    child.once("close", resolve);
  });
  let memoryMb = 0;
  const looking = setInterval(async () => {
    memoryMb = Math.max(memoryMb, (await peakMemoryMb(child.pid)) || 0);
  }, LOOK_MS);
  // Nothing can be written to a program that can't be started; `ended` reports the error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  try {
    const [stdout, stderr, code] = await Promise.all([readText(child.stdout), readText(child.stderr), ended]);
    if (child.signalCode !== null) throw new Error(`not done after ${TIMEOUT_MS / 60_000} minutes`);
    if (code !== 0) throw new Error(`it ended with ${code}: ${stderr.trim().slice(-400)}`);
    return { stdout, seconds: (performance.now() - started) / 1000, memoryMb };
  } finally {
    clearInterval(looking);
  }
}
