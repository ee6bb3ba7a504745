import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Context } from "koa";
import { DomainError } from "../platform/domain-error.ts";

/** Limits for the answers that are being made or read. */
export type AnswerLimits = {
  /** Bytes of all answers together. */
  readonly bytesMax: number;
  /** Milliseconds that a large answer waits for memory. */
  readonly waitMs: number;
  /** Bytes per second. While an answer waits, the connections of clients that read less may be closed. */
  readonly rateMin: number;
  /** Milliseconds that a client may read nothing without falling behind that rate. */
  readonly stallMs: number;
};

type Pending = {
  /** Bytes that the answer holds beside those on their way to the client. */
  reserved: number;
  bytesRead: number;
  /** When the next byte is due at the lowest rate. The past means that the client is behind. */
  dueAt: number;
};

type Waiting = {
  readonly pending: Pending;
  readonly bytes: number;
  readonly since: number;
  readonly admit: () => void;
  readonly giveUp: (reason: Error) => void;
};

/**
 * Limits the memory of answers that clients read slowly or not at all, over all listeners of a process. A large answer is
 * begun only when its memory is free. When the limit is exceeded, and while an answer waits, the connections of the
 * slowest readers are closed.
 */
export class PendingAnswers {
  readonly #limits: AnswerLimits;
  readonly #pending = new Map<ServerResponse, Pending>();
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Runs while there are answers. */
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<AnswerLimits> = {}) {
    this.#limits = { ...ANSWER_LIMITS, ...limits };
  }

  /** Counts an answer until its client has read it or is gone. */
  watch(response: ServerResponse): void {
    const dueAt = performance.now() + this.#limits.stallMs;
    const watched = { reserved: 0, bytesRead: bytesReadOf(response), dueAt };
    this.#pending.set(response, watched);
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    response.once("close", () => {
      this.#pending.delete(response);
      for (const waiting of this.#waiting) {
        if (waiting.pending !== watched) continue;
        this.#waiting.delete(waiting);
        waiting.giveUp(new Error(DISCONNECTED));
      }
      this.#admit();
      if (this.#pending.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  /**
   * Resolves when `bytes` are free for a watched answer, which keeps them until it ends.
   * @throws DomainError `service_busy` when they are not free in time; an error when the client disconnects before.
   */
  async reserve(response: ServerResponse, bytes: number): Promise<void> {
    const pending = this.#pending.get(response);
    if (pending === undefined) throw new Error(DISCONNECTED);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { pending, bytes, since: performance.now(), admit: resolve, giveUp: reject };
    const late = setTimeout(() => reject(new DomainError("service_busy", BUSY)), this.#limits.waitMs);
    this.#waiting.add(waiting);
    this.#admit();
    try {
      await promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(waiting);
    }
  }

  /** Changes the bytes that an answer keeps, once its size is known. */
  resize(response: ServerResponse, bytes: number): void {
    const pending = this.#pending.get(response);
    if (pending !== undefined) pending.reserved = bytes;
    this.#admit();
  }

  /** Answers with JSON that may take megabytes, for which the memory is reserved already. */
  sendJson(ctx: Context, answer: object): void {
    this.send(ctx, Buffer.from(JSON.stringify(answer)), "application/json; charset=utf-8");
  }

  /** The same with other content. It is sent in pieces, which show how far the client has read. */
  send(ctx: Context, bytes: Buffer, type: string): void {
    this.resize(ctx.res, bytes.length);
    ctx.type = type;
    ctx.body = Readable.from(piecesOf(bytes));
    ctx.length = bytes.length;
  }

  /**
   * Begins the waiting answers for which there is room, in their order. Smaller ones may pass a larger one during the first
   * half of its time; then memory is kept free for it.
   */
  #admit(): void {
    const passedSince = performance.now() - this.#limits.waitMs / 2;
    let free = this.#limits.bytesMax - this.#bytesHeld();
    for (const waiting of this.#waiting) {
      const { pending, bytes, since, admit } = waiting;
      if (bytes > free && since < passedSince) return;
      if (bytes > free) continue;
      free -= bytes;
      pending.reserved = bytes;
      this.#waiting.delete(waiting);
      admit();
    }
  }

  #bytesHeld(): number {
    return this.#pending.entries().reduce((sum, [response, pending]) => sum + bytesOf(response, pending), 0);
  }

  #check(): void {
    const now = performance.now();
    for (const [response, pending] of this.#pending) {
      const bytesRead = bytesReadOf(response);
      const readMs = ((bytesRead - pending.bytesRead) / this.#limits.rateMin) * 1_000;
      const dueAtMax = now + this.#limits.stallMs;
      pending.dueAt = response.writableLength === 0 ? dueAtMax : Math.min(dueAtMax, pending.dueAt + readMs);
      pending.bytesRead = bytesRead;
    }
    this.#closeSlowest(now);
    this.#admit();
  }

  #closeSlowest(now: number): void {
    const [first] = this.#waiting;
    let excess = this.#bytesHeld() + (first?.bytes ?? 0) - this.#limits.bytesMax;
    if (excess <= 0) return;
    // An answer that waits for the store, and not for its client, is left alone.
    const unread = [...this.#pending].filter(([response]) => response.writableLength > 0);
    for (const [response, pending] of unread.sort(([, a], [, b]) => a.dueAt - b.dueAt)) {
      const isForWaiting = excess <= (first?.bytes ?? 0);
      if (excess <= 0 || (isForWaiting && now < pending.dueAt)) return;
      excess -= bytesOf(response, pending);
      this.#pending.delete(response);
      response.destroy();
    }
  }
}

/**
 * - 256 MiB, as for bodies that arrive: some 200 reports of the longest text, or 170 documents of any length, at the same
 *   moment. With 500 clients that read nothing, the process takes 410 MB.
 * - The longest wait is about the patience of a person. Programs repeat the request.
 * - 64 KiB/s are half a megabit per second, less than any usual connection has. Without it, 170 clients that each took a
 *   piece of 64 KiB every two seconds would keep everybody else waiting; now they have to receive 11 MiB/s.
 * - A usual client reads without a pause; one that lost a packet reads on after a second.
 */
const ANSWER_LIMITS: AnswerLimits = {
  bytesMax: 256 * 1024 * 1024,
  waitMs: 10_000,
  rateMin: 64 * 1024,
  stallMs: 2_000,
};

const CHECK_INTERVAL_MS = 100;

const DISCONNECTED = "the client disconnected";

const BUSY = "Too many large answers are being read at the moment. Try again in a few seconds.";

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}

const PIECE_BYTES = 64 * 1024;

/** The bytes that a stream has written are part of the memory reserved for it. */
function bytesOf(response: ServerResponse, { reserved }: Pending): number {
  return Math.max(reserved, response.writableLength);
}

function bytesReadOf({ socket, writableLength }: ServerResponse): number {
  return (socket?.bytesWritten ?? 0) - writableLength;
}
