import { availableParallelism } from "node:os";

import { DomainError } from "../../core/domain-error.ts";
import { type ExtractedText, type ExtractOptions, takenText } from "./extracted-text.ts";
import { ExtractionChild } from "./process/extraction-child.ts";
import { extractionRequest, openAnswer } from "./process/extraction-message.ts";
import { createSlots } from "./process/slots.ts";
import { isTextFile, readTextFile } from "./text-file.ts";

export type ExtractorLimits = {
  /** The most files read at the same time. */
  readonly processes: number;
  /** The most files that may wait for a process. */
  readonly waitingMax: number;
  /** The longest a file may wait for a process, in milliseconds. */
  readonly waitMs: number;
  /** The longest one file may take, in milliseconds, from the moment its reading starts. */
  readonly timeMs: number;
  /** The most memory that reading one file may take, in megabytes, the process itself included. */
  readonly memoryMb: number;
  /** How long an unused process stays, in milliseconds. */
  readonly idleMs: number;
};

/**
 * Two processes, so that one slow file does not hold up all others, even on many cores: reading is short.
 * 30 s: the slowest readable file measured, a PDF of 6,000 pages with the 20 million characters that are the most that
 * is taken, needs 10 to 12 s on an idle core, and took 26 s on two cores with six busy programs. The slowest DOCX, 2
 * million characters in table cells of 12, takes 7.5 s; what people upload, well under a second.
 * 640 MB: the largest readable file measured, a DOCX of 20 million Cyrillic letters in paragraphs of 200, took 558 MB
 * (497 MB when it was compressed, as office programs do); in Latin letters it took 482 MB, that PDF 420 MB, a DOCX of 2
 * million characters in runs of 12 294 MB, common files under 200 MB.
 * Waiting has no bounds of its own here: whoever reads a folder sends one file at a time for each process.
 * 60 s idle: starting a process takes 0.3 s, which an upload may wait for, but not each of a series.
 */
const DEFAULT_LIMITS: ExtractorLimits = {
  processes: Math.min(2, availableParallelism()),
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  timeMs: 30_000,
  memoryMb: 640,
  idleMs: 60_000,
};

/** A process that grew beyond this gives its memory back by ending: V8 does not, and 150 MB is usual. */
const KEEP_BELOW_BYTES = 300 * 1024 * 1024;

/**
 * A text file up to this size is read here: decoding it takes 0.1 to 0.8 ms, whatever it holds, and telling a process
 * takes longer. A folder of 7,500 such files so costs a tenth less.
 */
const READ_HERE_BYTES = 64 * 1024;

/** How the reading of a file ended, whose turn had come. `killed`: it took too long or too much memory, or crashed. */
export type ReadingOutcome = "text" | "refused" | "killed" | "cancelled" | "failed";

type OnRead = (outcome: ReadingOutcome, seconds: number) => void;

export type Extractor = {
  extract(bytes: Uint8Array, options: ExtractOptions, signal?: AbortSignal): Promise<ExtractedText>;
  close(): Promise<void>;
};

/**
 * Reads files, but for small text files in processes of their own, with limits on memory and time: a file that breaks a limit is an
 * `unreadable_file` error and costs its process; the next file gets a new one.
 *
 * Processes, not threads, because a thread that runs out of memory can end the whole program (Node.js issue 47224;
 * seen here with a 7 MB DOCX of three million attributes), and because a thread's limit leaves out all buffers.
 *
 * `extract` rejects as `extractText` does, with the signal's reason once that is aborted, and with `service_busy` when
 * as many files wait already as may, or when this one has waited as long as it may.
 * `onRead` is told of each file that was read. `close` ends all processes; what is still being read or waiting fails.
 */
export function createExtractor(
  limits: Partial<ExtractorLimits> = {},
  onRead: OnRead = () => undefined,
): Extractor {
  const { processes, waitingMax, waitMs, timeMs, memoryMb, idleMs } = { ...DEFAULT_LIMITS, ...limits };
  const children = new Set<ExtractionChild>();
  const idle = new Map<ExtractionChild, NodeJS.Timeout>();
  const slots = createSlots(processes, { waitingMax, waitMs, busy: tooManyWait });
  let closed = false;

  function takeChild(): ExtractionChild {
    if (closed) throw new Error("the extractor is closed");
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.alive) return child;
    }
    const child = new ExtractionChild(memoryMb);
    children.add(child);
    child.exited.then(() => children.delete(child));
    return child;
  }

  function readHere(bytes: Uint8Array, options: ExtractOptions, signal?: AbortSignal): ExtractedText {
    signal?.throwIfAborted();
    if (closed) throw new Error("the extractor is closed");
    const startedAt = performance.now();
    const ended = (outcome: ReadingOutcome) => onRead(outcome, (performance.now() - startedAt) / 1000);
    try {
      const text = takenText(readTextFile(bytes, options), options.textCharsMax);
      ended("text");
      return text;
    } catch (error) {
      ended(error instanceof DomainError ? "refused" : "failed");
      throw error;
    }
  }

  function retire(child: ExtractionChild): void {
    idle.delete(child);
    child.end();
  }

  return {
    async extract(bytes, options, signal) {
      const isSmall = bytes.length > 0 && bytes.length <= READ_HERE_BYTES;
      if (isSmall && isTextFile(bytes, options.filename)) return readHere(bytes, options, signal);
      await slots.take(signal);
      const startedAt = performance.now();
      const ended = (outcome: ReadingOutcome) => onRead(outcome, (performance.now() - startedAt) / 1000);
      try {
        const child = takeChild();
        const answer = await child
          .ask(extractionRequest(bytes, options), timeMs, signal)
          .catch((error: unknown) => {
            ended(signal?.aborted === true ? "cancelled" : lostTo(error));
            throw error;
          });
        ended(answer.kind);
        if (answer.memoryBytes > KEEP_BELOW_BYTES) retire(child);
        else if (child.alive) idle.set(child, setTimeout(retire, idleMs, child));
        return openAnswer(answer);
      } finally {
        slots.free();
      }
    },
    async close() {
      closed = true;
      slots.close(new Error("the extractor is closed"));
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all(
        [...children].map(async (child) => {
          if (idle.delete(child)) return child.end();
          child.kill();
          return child.exited;
        }),
      );
    },
  };
}

/** A process that does not start is our own failure; one that ends before it has answered is the file's. */
function lostTo(error: unknown): ReadingOutcome {
  return error instanceof DomainError ? "killed" : "failed";
}

function tooManyWait(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many files are waiting to be read. Send this one again after the seconds in Retry-After.",
  );
}
