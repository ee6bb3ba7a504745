import { type ChildProcess, fork } from "node:child_process";
import { tmpdir } from "node:os";
import type { z } from "zod";
import { type SlotLimits, Slots, type Turn } from "../flow/slots.ts";
import { ChildMessage } from "./child-program.ts";

type ChildPoolOptions<Answer> = {
  /** For messages, such as "the encoder". */
  readonly name: string;
  /** Calls `answerRequests`. */
  readonly program: URL;
  readonly args?: readonly string[];
  readonly execArgv: readonly string[];
  /** Variables beside the variables that every child gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** `ignore` by default: the warnings of a library may quote documents. */
  readonly stderr?: "ignore" | "inherit";
  readonly answer: z.ZodType<Answer>;
  readonly processes: number;
  readonly limits?: Partial<SlotLimits>;
  /** The longest that one request may take in a process that is ready. */
  readonly timeMs: number;
  /** How long a process without work is kept. */
  readonly idleMs: number;
  /** A process that holds more after an answer ends, because V8 does not give memory back. */
  readonly keepBelowBytes?: number;
  /** After a failed start, no process is started for this time. */
  readonly startPauseMs?: number;
};

/** Starting takes half a second, but half a minute beside a hundred busy programs. */
const START_WITHIN_MS = 120_000;

/** How long an idle process may take to end; it needs a few milliseconds. */
const END_WITHIN_MS = 2_000;

/**
 * The only environment variables that a child gets: a hostile file must find no password there. Two are for fonts of the system. With
 * code that is kept compiled, a child starts in half the time.
 */
const ENVIRONMENT = [
  "PATH",
  "SystemRoot",
  "LD_LIBRARY_PATH",
  "TZ",
  "HOME",
  "LOCALAPPDATA",
  "NODE_COMPILE_CACHE",
] as const;

/** A process gave no answer: it did not start, it ended (as for its memory), or it took too long. */
export class ChildLost extends Error {
  override readonly name = "ChildLost";
  readonly reason: "not started" | "ended" | "late";

  constructor(reason: ChildLost["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Answers requests in separate processes, each one request at a time: one that takes too long, too much memory or crashes costs its
 * own process and no other. A process is never used again after it failed, or after its caller left.
 */
export class ChildPool<Answer> {
  readonly #options: ChildPoolOptions<Answer>;
  readonly #slots: Slots;
  readonly #children = new Set<Child<Answer>>();
  readonly #idle = new Map<Child<Answer>, NodeJS.Timeout | undefined>();
  #isClosed = false;
  #failedStart: { readonly at: number; readonly error: ChildLost } | undefined;

  constructor(options: ChildPoolOptions<Answer>) {
    this.#options = options;
    this.#slots = new Slots(options.processes, options.limits);
  }

  get processIds(): readonly (number | undefined)[] {
    return [...this.#children].map(({ id }) => id);
  }

  /**
   * Gives `work` its own process when its turn has come.
   * @throws the error of `work`; ChildLost; the errors of `Slots.run`; an error after `close`.
   */
  run<T>(work: (child: Child<Answer>) => Promise<T>, turn: Turn = {}): Promise<T> {
    return this.#slots.run(async () => {
      const child = this.#takeChild();
      try {
        return await work(child);
      } catch (error) {
        if (error instanceof ChildLost && error.reason === "not started")
          this.#failedStart = { at: performance.now(), error };
        throw error;
      } finally {
        this.#putBack(child);
      }
    }, turn);
  }

  /** Ends all processes; work in progress or waiting fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.close(this.#closedError());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all(
      [...this.#children].map((child) => {
        if (this.#idle.delete(child)) return child.end();
        child.kill(this.#closedError());
        return child.exited;
      }),
    );
  }

  #takeChild(): Child<Answer> {
    if (this.#isClosed) throw this.#closedError();
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (child.isAlive) return child;
    }
    const { startPauseMs = 0 } = this.#options;
    if (this.#failedStart !== undefined && performance.now() - this.#failedStart.at < startPauseMs)
      throw this.#failedStart.error;
    const child = new Child(this.#options);
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    return child;
  }

  #putBack(child: Child<Answer>): void {
    const { idleMs, keepBelowBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (!child.isAlive) return;
    if (this.#isClosed || idleMs === 0 || child.memoryBytes > keepBelowBytes) void child.end();
    else
      this.#idle.set(
        child,
        Number.isFinite(idleMs) ? setTimeout(() => this.#retire(child), idleMs) : undefined,
      );
  }

  #retire(child: Child<Answer>): void {
    this.#idle.delete(child);
    void child.end();
  }

  #closedError(): Error {
    return new Error(`${this.#options.name} is closed`);
  }
}

/** One process of a pool. */
export class Child<Answer> {
  readonly exited: Promise<void>;
  readonly #options: ChildPoolOptions<Answer>;
  readonly #process: ChildProcess;
  readonly #started = Promise.withResolvers<void>();
  #pending: PromiseWithResolvers<Answer> | undefined;
  #isReady = false;
  #isAlive = true;
  #memoryBytes = 0;

  constructor(options: ChildPoolOptions<Answer>) {
    const { program, args = [], execArgv, environment, stderr = "ignore" } = options;
    this.#options = options;
    this.#process = fork(program, args, {
      execArgv: [...execArgv],
      serialization: "advanced", // bytes go as bytes
      stdio: ["ignore", "ignore", stderr, "ipc"],
      env: {
        ...Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
        // Node.js would pass on that coverage is collected: a process that reads foreign files writes none.
        NODE_V8_COVERAGE: "",
        ...environment,
      },
      cwd: tmpdir(),
    });
    // Nobody may be waiting any more when the start fails.
    this.#started.promise.catch(() => undefined);
    this.#process.on("message", (message) => this.#receive(message));
    this.exited = new Promise((resolve) => {
      const gone = (how: string) => {
        this.kill(this.#isReady ? this.#lost("ended", `ended (${how})`) : this.#notStarted(how));
        resolve();
      };
      this.#process.once("exit", (code, signal) => gone(signal ?? `exit code ${code}`));
      this.#process.on("error", (error) => gone(error.message));
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get id(): number | undefined {
    return this.#process.pid;
  }

  /** The memory of the process after its last answer. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * Sends a request and waits for its answer; a wait that ends early ends the process too.
   * @throws ChildLost; the signal's reason; an Error with the message of the program when that failed.
   */
  async ask(request: object, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const { timeMs } = this.#options;
    const abort = () => this.kill(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let timer = setTimeout(() => this.kill(this.#notStarted("no sign of life")), START_WITHIN_MS);
    try {
      await this.#started.promise;
      clearTimeout(timer);
      const late = () => this.kill(this.#lost("late", `took longer than ${timeMs / 1000} s`));
      timer = setTimeout(late, timeMs);
      this.#pending = Promise.withResolvers();
      // Sending fails only when the process is dying, and its exit tells why.
      this.#process.send(request, () => {});
      return await this.#pending.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Ends an idle process by closing its channel. */
  async end(): Promise<void> {
    this.#isAlive = false;
    if (this.#process.connected) this.#process.disconnect();
    const timer = setTimeout(() => this.kill(this.#lost("ended", "did not end in time")), END_WITHIN_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends the process at once; a request in progress fails with `reason`. */
  kill(reason: unknown): void {
    this.#isAlive = false;
    this.#started.reject(reason);
    this.#pending?.reject(reason);
    this.#process.kill("SIGKILL");
  }

  #receive(raw: unknown): void {
    const message = ChildMessage.safeParse(raw).data;
    switch (message?.kind) {
      case "ready":
        this.#isReady = true;
        this.#started.resolve();
        break;
      case "answer": {
        const answer = this.#options.answer.safeParse(message.value);
        this.#memoryBytes = message.memoryBytes;
        if (answer.success) this.#pending?.resolve(answer.data);
        else this.kill(this.#lost("ended", "gave an answer of another shape"));
        break;
      }
      case "failed":
        this.kill(this.#isReady ? new Error(message.message) : this.#notStarted(message.message));
        break;
      case undefined:
        this.kill(this.#lost("ended", "sent an unknown message"));
    }
  }

  #lost(reason: ChildLost["reason"], how: string): ChildLost {
    return new ChildLost(reason, `${this.#options.name}'s process ${how}`);
  }

  #notStarted(why: string): ChildLost {
    return new ChildLost("not started", `${this.#options.name} does not start: ${why}`);
  }
}
