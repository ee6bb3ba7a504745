/** The program that `extraction-child.ts` starts with its memory limit in megabytes: it reads one file after another. */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";

import { DomainError } from "../platform/domain-error.ts";
import { extractHtml, extractText } from "./extract-text.ts";
import {
  type ExtractionAnswer,
  type ExtractionMessage,
  ExtractionRequest,
  RefusalCode,
} from "./extraction-child.ts";

const memoryWatch = new URL(`./memory-watch${extname(import.meta.url)}`, import.meta.url);
new Worker(memoryWatch, { argv: process.argv.slice(2) }).unref();

// Ctrl-C reaches the whole process group; the service decides when this process ends, by closing the channel.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());

process.on("message", async (request) => send(await answer(request)));
send({ kind: "ready" });

function send(message: ExtractionMessage): void {
  process.send?.(message);
}

async function answer(request: unknown): Promise<ExtractionAnswer> {
  try {
    const asked = ExtractionRequest.parse(request);
    const read =
      asked.task === "text"
        ? ({ kind: "text", ...(await extractText(asked.bytes, asked.options)) } as const)
        : ({ kind: "html", html: await extractHtml(asked.bytes) } as const);
    return { ...read, memoryBytes: process.memoryUsage.rss() };
  } catch (error) {
    const memoryBytes = process.memoryUsage.rss();
    const message = error instanceof Error ? error.message : String(error);
    const code = RefusalCode.safeParse(error instanceof DomainError ? error.code : undefined);
    if (code.success) return { kind: "refused", code: code.data, message, memoryBytes };
    return { kind: "failed", message, memoryBytes };
  }
}
