import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Sends requests, all at once, and never reads a byte of the answers. */
export async function openUnread(base: string, path: string, requests = 1): Promise<Socket> {
  const { hostname, port, host } = new URL(base);
  const socket = connect(Number(port), hostname);
  // The service is expected to cut it off.
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests));
  return socket;
}

/** Requests that every second connection sends at once. */
const PIPELINED = 20;

/** A connection that does not read does not notice its end, so each is reopened after this. */
const CONNECTION_MS = 30_000;

/** Keeps connections open that never read, half of them with one request and half with many, until it is told to end. */
export class UnreadConnections {
  /** How often one was opened, and how often that failed. */
  opened = 0;
  refused = 0;
  readonly #ending = new AbortController();
  readonly #all: Promise<void>[];

  constructor(base: string, paths: readonly string[], count: number) {
    this.#all = Array.from({ length: count }, (_, at) =>
      this.#keep(base, paths[(at >> 1) % paths.length] ?? "/", at % 2 === 0 ? 1 : PIPELINED),
    );
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#all);
  }

  async #keep(base: string, path: string, requests: number): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const socket = await openUnread(base, path, requests).catch(() => undefined);
      if (socket === undefined) this.refused += 1;
      else this.opened += 1;
      await sleep(CONNECTION_MS, undefined, { signal }).catch(() => undefined);
      socket?.destroy();
    }
  }
}
