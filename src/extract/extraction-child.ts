import { type ChildProcess, fork } from "node:child_process";
import { tmpdir } from "node:os";
import { extname } from "node:path";
import { z } from "zod";

import { unreadableFile } from "../platform/domain-error.ts";
import { MEDIA_TYPES } from "./text/extracted-text.ts";

const FileBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A file to read as text, or a Word document as HTML. A process reads one file at a time. */
export const ExtractionRequest = z.discriminatedUnion("task", [
  z.object({
    task: z.literal("text"),
    bytes: FileBytes,
    options: z.object({
      filename: z.string(),
      accept: z.array(z.enum(MEDIA_TYPES)).readonly(),
      textCharsMax: z.number(),
    }),
  }),
  z.object({ task: z.literal("html"), bytes: FileBytes }),
]);

export type ExtractionRequest = z.infer<typeof ExtractionRequest>;

/** What can be wrong with a file. Such an error crosses the process boundary as data and is rebuilt. */
export const RefusalCode = z.enum([
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
]);

/** A message of an extraction process: `ready` once, then one answer per request, with the memory that it holds. */
export const ExtractionMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("text"),
    text: z.string(),
    mediaType: z.enum(MEDIA_TYPES),
    margins: z.array(z.object({ start: z.number(), end: z.number() })).readonly(),
    memoryBytes: z.number(),
  }),
  z.object({ kind: z.literal("html"), html: z.string(), memoryBytes: z.number() }),
  z.object({ kind: z.literal("refused"), code: RefusalCode, message: z.string(), memoryBytes: z.number() }),
  z.object({ kind: z.literal("failed"), message: z.string(), memoryBytes: z.number() }),
]);

export type ExtractionMessage = z.infer<typeof ExtractionMessage>;
export type ExtractionAnswer = Exclude<ExtractionMessage, { kind: "ready" }>;

/** V8's share of the memory limit; the rest is for buffers, code and the young generation. */
const HEAP_SHARE = 0.75;

/** How long an idle process may take to end; it needs a few milliseconds. */
const END_WITHIN_MS = 2_000;

/** Starting takes 0.3 s, but half a minute beside a hundred busy programs, which is not the file's fault. */
const START_WITHIN_MS = 120_000;

/** The only environment variables that the process gets: a hostile file must find no password there. */
const ENVIRONMENT = ["PATH", "SystemRoot", "LD_LIBRARY_PATH", "TZ"] as const;

type Pending = PromiseWithResolvers<ExtractionAnswer>;

/** One extraction process. It takes one request at a time, and is never used again after a failure. */
export class ExtractionChild {
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  #ready = false;
  #whenReady = (): void => {};
  #alive = true;
  #pending: Pending | undefined;

  /** @param memoryMb the most memory the process may hold, in megabytes. */
  constructor(memoryMb: number) {
    const program = new URL(`./extraction-process${extname(import.meta.url)}`, import.meta.url);
    this.#process = fork(program, [String(memoryMb)], {
      execArgv: [`--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
      serialization: "advanced", // bytes go as bytes
      stdio: ["ignore", "ignore", "ignore", "ipc"], // the readers' warnings quote documents
      // Node.js would pass on that coverage is collected: a process that reads foreign files writes none.
      env: {
        ...Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
        NODE_V8_COVERAGE: "",
      },
      cwd: tmpdir(),
    });
    this.#process.on("message", (message) => this.#receive(message));
    this.exited = new Promise((resolve) => {
      const gone = (error: Error) => {
        this.#alive = false;
        this.#settle()?.reject(error);
        resolve();
      };
      this.#process.once("exit", (code, signal) => gone(this.#deathOf(signal ?? `exit code ${code}`)));
      this.#process.on("error", gone);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Sends a request and waits for its answer; a wait that ends early ends the process too. @throws `unreadable_file` when it dies or
   * `timeMs` have passed since it was ready; the signal's reason; another error when it does not start.
   */
  async ask(request: ExtractionRequest, timeMs: number, signal?: AbortSignal): Promise<ExtractionAnswer> {
    const pending: Pending = Promise.withResolvers();
    this.#pending = pending;
    const giveUp = (reason: unknown) => {
      this.#settle()?.reject(reason);
      this.kill();
    };
    let timer = setTimeout(() => giveUp(new Error("the extraction process did not start")), START_WITHIN_MS);
    this.#whenReady = () => {
      clearTimeout(timer);
      const slow = `The file can't be read: reading its text took longer than ${timeMs / 1000} seconds.`;
      timer = setTimeout(() => giveUp(unreadableFile(slow)), timeMs);
    };
    if (this.#ready) this.#whenReady();
    const abort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    // Sending fails only when the process is dying, and its exit tells why.
    this.#process.send(request, () => {});
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends an idle process by closing its channel. */
  async end(): Promise<void> {
    this.#alive = false;
    if (this.#process.connected) this.#process.disconnect();
    const timer = setTimeout(() => this.kill(), END_WITHIN_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends the process at once; a pending request fails. */
  kill(): void {
    this.#alive = false;
    this.#process.kill("SIGKILL");
  }

  #receive(raw: unknown): void {
    const message = ExtractionMessage.safeParse(raw);
    if (!message.success) this.kill();
    else if (message.data.kind === "ready") {
      this.#ready = true;
      this.#whenReady();
    } else this.#settle()?.resolve(message.data);
  }

  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  /** When a process never gets ready, the installation is at fault, not the file. */
  #deathOf(how: string): Error {
    if (!this.#ready) return new Error(`the extraction process did not start (${how})`);
    return unreadableFile(
      "The file can't be read: its content is damaged, or takes more memory than is allowed.",
      new Error(`the extraction process ended (${how})`),
    );
  }
}
