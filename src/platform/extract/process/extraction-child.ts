import { type ChildProcess, fork } from "node:child_process";
import { tmpdir } from "node:os";

import { DomainError } from "../../../core/domain-error.ts";
import { type ExtractionAnswer, ExtractionMessage, type ExtractionRequest } from "./extraction-message.ts";
import { siblingModule } from "./sibling-module.ts";

/** V8's part of the memory limit; the rest is for buffers, code and the young generation. */
const HEAP_SHARE = 0.75;

/** How long a process that was asked to end may take; an idle one needs a few milliseconds. */
const END_WITHIN_MS = 2_000;

/** Starting takes 0.3 s, and on a machine with a hundred busy programs half a minute: no fault of the file. */
const START_WITHIN_MS = 120_000;

/** All that the process needs of the environment: a hostile file must find no password there. */
const ENVIRONMENT = ["PATH", "SystemRoot", "LD_LIBRARY_PATH", "TZ", "NODE_V8_COVERAGE"] as const;

type Pending = {
  readonly resolve: (answer: ExtractionAnswer) => void;
  readonly reject: (reason: unknown) => void;
};

/** One extraction process: takes one request at a time, and is dead for good after a failure. */
export class ExtractionChild {
  /** Settles when the process is gone. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  #ready = false;
  #whenReady = (): void => {};
  #alive = true;
  #pending: Pending | undefined;

  /** @param memoryMb the most memory the process may hold, in megabytes. */
  constructor(memoryMb: number) {
    this.#process = fork(siblingModule("extraction-process", import.meta.url), [String(memoryMb)], {
      execArgv: [`--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
      serialization: "advanced", // bytes go as bytes
      stdio: ["ignore", "ignore", "ignore", "ipc"], // the readers' warnings quote documents
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
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
   * Sends a request and waits for its answer. Whatever ends the wait early ends the process too.
   * Rejects with `unreadable_file` when `timeMs` have passed since the process was ready, or when it dies; with the
   * signal's reason; with another error when the process does not start.
   */
  async ask(request: ExtractionRequest, timeMs: number, signal?: AbortSignal): Promise<ExtractionAnswer> {
    const answer = new Promise<ExtractionAnswer>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    const giveUp = (reason: unknown) => {
      this.#settle()?.reject(reason);
      this.kill();
    };
    let timer = setTimeout(() => giveUp(new Error("the extraction process did not start")), START_WITHIN_MS);
    this.#whenReady = () => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp(tookTooLong(timeMs)), timeMs);
    };
    if (this.#ready) this.#whenReady();
    const abort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    // A failure to send means that the process is dying; its exit tells why.
    this.#process.send(request, () => {});
    try {
      return await answer;
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

  /** Ends the process at once, whatever it is doing; a pending request fails. */
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

  /** A process that never got ready is the installation's fault, not the file's. */
  #deathOf(how: string): Error {
    if (!this.#ready) return new Error(`the extraction process did not start (${how})`);
    return new DomainError(
      "unreadable_file",
      "The file can't be read: its content is damaged, or takes more memory than is allowed.",
      { cause: new Error(`the extraction process ended (${how})`) },
    );
  }
}

function tookTooLong(timeMs: number): DomainError {
  return new DomainError(
    "unreadable_file",
    `The file can't be read: its text could not be found within ${timeMs / 1000} seconds.`,
  );
}
