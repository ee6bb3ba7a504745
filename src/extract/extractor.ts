import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { ChildLost, ChildPool } from "../platform/child-pool/child-pool.ts";
import { DomainError, unreadableFile } from "../platform/domain-error.ts";
import { ExtractionAnswer, type ExtractionRequest } from "./extraction-messages.ts";
import { DRAWING_MS_MAX, type OcrSettings } from "./ocr/ocr-settings.ts";
import { type ExtractedText, type ExtractOptions, storableText } from "./text/extracted-text.ts";
import { isTextFile, readTextFile } from "./text/text-file.ts";

type ExtractorLimits = {
  readonly processes: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** The longest one file may take, in milliseconds, from the moment its reading starts. */
  readonly timeMs: number;
  /** The most memory that reading one file may take, in megabytes, the process itself included. */
  readonly memoryMb: number;
  readonly idleMs: number;
  /** How scanned pages of PDFs are read; undefined if they are not. */
  readonly ocr?: OcrSettings | undefined;
};

/**
 * - Two processes, even on many cores: reading is short, and one slow file must not hold up all others.
 * - 60 s: the slowest readable file, a PDF of 6,000 pages with the longest accepted text (20 million characters), needs about 30 s
 *   of processor time. The slowest DOCX takes 7.5 s, ordinary uploads well under a second.
 * - 640 MB: the largest readable file, a DOCX of 20 million Cyrillic letters in paragraphs of 200, took 558 MB (482 MB in Latin
 *   letters), that PDF 420 MB, common files under 200 MB.
 * - Waiting is unbounded by default: a folder import sends one file at a time per process.
 * - 60 s idle: starting a process takes 0.3 s, which one upload may wait for, but not each of a series.
 */
const DEFAULT_LIMITS: ExtractorLimits = {
  processes: Math.min(2, availableParallelism()),
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  timeMs: 60_000,
  memoryMb: 640,
  idleMs: 60_000,
};

/** OCR holds a picture of a page and its own data beside the file. */
const OCR_MEMORY_MB = 640;

/** 150 MB is usual. */
const KEEP_BELOW_BYTES = 300 * 1024 * 1024;

/** V8's share of the memory limit; the rest is for buffers, code and the young generation. */
const HEAP_SHARE = 0.75;

/** Text files up to this size are read in the calling process, in 0.1 to 0.8 ms; a folder of 7,500 takes a tenth less time. */
const READ_INLINE_BYTES = 64 * 1024;

/** How reading a file ended. `killed`: it took too long or too much memory, or crashed. */
type ReadingOutcome = "text" | "html" | "refused" | "killed" | "cancelled" | "failed";

export type Extractor = {
  extract(bytes: Uint8Array, options: ExtractOptions, signal?: AbortSignal): Promise<ExtractedText>;
  /** A Word document as HTML. Rejects as `extract` does, except `no_extractable_text` and `text_too_long`. */
  toHtml(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
};

/**
 * Reads files in separate processes with limits on memory and time; only small text files are read in this one. A file that breaks
 * a limit is an `unreadable_file` error and costs its process. A thread would not do: one that runs out of memory can end the whole
 * program (Node.js issue 47224; seen with a 7 MB DOCX of three million attributes), and its limit does not count buffers.
 *
 * `extract` rejects as `extractText` does, with the signal's reason, and with `service_busy` when too many files wait or this one
 * has waited too long. `onRead` is called for each file that was read. `close` ends all processes; files in progress or waiting fail.
 */
export function createExtractor(
  limits: Partial<ExtractorLimits> = {},
  onRead: (outcome: ReadingOutcome, seconds: number) => void = () => undefined,
): Extractor {
  const { ocr, processes, waitingMax, waitMs, timeMs, memoryMb, idleMs } = { ...DEFAULT_LIMITS, ...limits };
  const poolWith = (own: { readonly args: readonly string[]; readonly timeMs: number }) =>
    new ChildPool({
      name: "the extractor",
      program: new URL(`./extraction-process${extname(import.meta.url)}`, import.meta.url),
      execArgv: [`--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
      answer: ExtractionAnswer,
      processes,
      limits: { waitingMax, waitMs, busy: tooManyWait },
      idleMs,
      keepBelowBytes: KEEP_BELOW_BYTES,
      ...own,
    });
  const reading = poolWith({ args: [String(memoryMb)], timeMs });
  // Scans have processes of their own, so that other files need not wait for them, nor have their limits.
  const ocrReading =
    ocr &&
    poolWith({
      args: [String(memoryMb + OCR_MEMORY_MB), JSON.stringify(ocr)],
      timeMs: timeMs + ocr.pagesMax * (ocr.pageMs + DRAWING_MS_MAX),
    });
  let closed = false;

  function startReading() {
    const startedAt = performance.now();
    return (outcome: ReadingOutcome) => onRead(outcome, (performance.now() - startedAt) / 1000);
  }

  function readInline(bytes: Uint8Array, options: ExtractOptions, signal?: AbortSignal): ExtractedText {
    signal?.throwIfAborted();
    if (closed) throw new Error("the extractor is closed");
    const ended = startReading();
    try {
      const text = storableText(readTextFile(bytes, options), options.textCharsMax);
      ended("text");
      return text;
    } catch (error) {
      ended(error instanceof DomainError ? "refused" : "failed");
      throw error;
    }
  }

  /** Reads a file in a separate process, or throws the error that its answer stands for. */
  function readApart(
    pool: ChildPool<ExtractionAnswer>,
    request: ExtractionRequest,
    signal?: AbortSignal,
  ): Promise<Exclude<ExtractionAnswer, { kind: "refused" }>> {
    return pool.run(
      async (child) => {
        const ended = startReading();
        const answer = await child.ask(request, signal).catch((error: unknown) => {
          const explained = readingError(error, timeMs);
          const lost = explained instanceof DomainError ? "killed" : "failed";
          ended(signal?.aborted === true ? "cancelled" : lost);
          throw explained;
        });
        ended(answer.kind);
        if (answer.kind === "refused") throw new DomainError(answer.code, answer.message);
        return answer;
      },
      { signal },
    );
  }

  return {
    async extract(bytes, options, signal) {
      const isSmall = bytes.length > 0 && bytes.length <= READ_INLINE_BYTES;
      if (isSmall && isTextFile(bytes, options)) return readInline(bytes, options, signal);
      const request = { task: "text", bytes, options } as const;
      const read = readApart(reading, request, signal).then(textOf);
      if (ocrReading === undefined || !(await hasUnreadPages(read))) return read;
      // What OCR fails at is left as it was read without.
      return readApart(ocrReading, request, signal)
        .then(textOf)
        .catch((error: unknown) => {
          if (isLost(error)) return read;
          throw error;
        });
    },
    async toHtml(bytes, signal) {
      const answer = await readApart(reading, { task: "html", bytes }, signal);
      if (answer.kind !== "html") throw new Error("the extraction process answered another request");
      return answer.html;
    },
    async close() {
      closed = true;
      await Promise.all([reading.close(), ocrReading?.close()]);
    },
  };
}

function textOf(answer: ExtractionAnswer): ExtractedText {
  if (answer.kind !== "text") throw new Error("the extraction process answered another request");
  const { kind: _, ...extracted } = answer;
  return extracted;
}

/** Whether a file has pages whose text was not read, or was refused because it has no other ones. */
async function hasUnreadPages(read: Promise<ExtractedText>): Promise<boolean> {
  try {
    const { pageNotes } = await read;
    return pageNotes.length > 0;
  } catch (error) {
    return error instanceof DomainError && UNREAD.has(error.code) && !isLost(error);
  }
}

/** The second code stands for fonts that can't be read too. */
const UNREAD: ReadonlySet<string> = new Set(["no_extractable_text", "unreadable_file"]);

/** Whether a process gave no answer for a file. */
function isLost(error: unknown): boolean {
  return error instanceof ChildLost || (error instanceof DomainError && error.cause instanceof ChildLost);
}

/** A process that does not start is the service's fault; one that ends without an answer is the file's. */
function readingError(error: unknown, timeMs: number): unknown {
  if (!(error instanceof ChildLost) || error.reason === "not started") return error;
  const why =
    error.reason === "late"
      ? `reading its text took longer than ${timeMs / 1000} seconds.`
      : "its content is damaged, or takes more memory than is allowed.";
  return unreadableFile(`The file can't be read: ${why}`, error);
}

function tooManyWait(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many files are waiting to be read. Retry after the number of seconds in Retry-After.",
  );
}
