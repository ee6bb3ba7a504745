import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { errorMessage } from "../error-code.ts";

/** A message of a child process: `ready` or `failed` once, then one answer for each request. */
export const ChildMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  /** With the memory that the process holds. */
  z.object({ kind: z.literal("answer"), value: z.unknown(), memoryBytes: z.number() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type ChildMessage = z.infer<typeof ChildMessage>;

/**
 * The program of a child of `ChildPool`: answers one request after another with the function that `open` gives.
 * @param memoryMb with this much memory the process ends itself; the watch runs before the first request arrives.
 */
export async function answerRequests(
  open: () => Promise<(request: unknown) => Promise<unknown>>,
  memoryMb?: number,
): Promise<void> {
  // Ctrl-C reaches the whole process group; the service decides when this process ends, by closing the channel.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => process.exit());
  try {
    if (memoryMb !== undefined) await watchMemory(memoryMb);
    const answer = await open();
    process.on("message", async (request) => {
      try {
        const value = await answer(request);
        send({ kind: "answer", value, memoryBytes: process.memoryUsage.rss() });
      } catch (error) {
        send(failureOf(error));
      }
    });
    send({ kind: "ready" });
  } catch (error) {
    // The channel must have taken the message before the process ends.
    send(failureOf(error), () => process.exit(1));
  }
}

async function watchMemory(memoryMb: number): Promise<void> {
  const program = new URL(`./memory-watch${extname(import.meta.url)}`, import.meta.url);
  const watch = new Worker(program, { argv: [String(memoryMb)] });
  await once(watch, "message");
  watch.unref();
}

function send(message: ChildMessage, onSent = () => {}): void {
  process.send?.(message, onSent);
}

function failureOf(error: unknown): ChildMessage {
  return { kind: "failed", message: errorMessage(error) };
}
