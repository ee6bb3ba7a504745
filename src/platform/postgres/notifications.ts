import pg from "pg";
import type { Logger } from "../logger.ts";
import { connectionOptions, rethrowUnavailable } from "./database.ts";

const RECONNECT_MS = 1_000;

/** Detects a dead connection, which would stop every progress stream without an error. */
const PROBE_INTERVAL_MS = 10_000;

type NotificationHandlers = {
  readonly onPayload: (payload: string) => void;
  /** Called after each reconnection: notifications may have been missed. */
  readonly onReconnect: () => void;
};

/** Listens on one channel with a connection that it reopens; `onReconnect` tells that payloads may be lost. */
export class Notifications {
  readonly #databaseUrl: string;
  readonly #channel: string;
  readonly #handlers: NotificationHandlers;
  readonly #log: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(databaseUrl: string, channel: string, handlers: NotificationHandlers, log: Logger) {
    this.#databaseUrl = databaseUrl;
    this.#channel = channel;
    this.#handlers = handlers;
    this.#log = log;
  }

  /** @throws when the first connection can't be made: DomainError `store_unavailable`, or PostgreSQL's own error when it refuses access. */
  async open(): Promise<void> {
    const client = new pg.Client(connectionOptions(this.#databaseUrl));
    client.on("notification", (message) => this.#handlers.onPayload(message.payload ?? ""));
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, new Error("connection ended")));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      rethrowUnavailable(error);
    }
    if (this.#closed) {
      await client.end();
      return;
    }
    this.#client = client;
    this.#scheduleProbe(client);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #scheduleProbe(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query("select 1").then(
        () => {
          if (this.#client === client && !this.#closed) this.#scheduleProbe(client);
        },
        (error: Error) => this.#lost(client, error),
      );
    }, PROBE_INTERVAL_MS);
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    this.#log.warn({ error: error.message }, "notification connection lost");
    client.end().catch(() => undefined);
    this.#retry();
  }

  #retry(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.open().then(
        () => this.#handlers.onReconnect(),
        () => this.#retry(),
      );
    }, RECONNECT_MS);
  }
}
