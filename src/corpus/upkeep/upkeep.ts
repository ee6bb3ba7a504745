import type { Logger } from "../../platform/logger.ts";
import { Notifications } from "../../platform/postgres/notifications.ts";
import type { SweepRemoved } from "./sweep-removed.ts";

/** Where the database tells of removed documents, from the transaction that removed them. */
const REMOVED_CHANNEL = "similarity_documents_removed";

/** The net beneath the notifications, and what repeats a sweep that a store cut off. */
const SWEEP_INTERVAL_MS = 5_000;

type Parts = { readonly databaseUrl: string; readonly sweepRemoved: SweepRemoved; readonly log: Logger };

/** Keeps the index in step with the rows in the background, one piece of work at a time. */
export class Upkeep {
  readonly #sweepRemoved: SweepRemoved;
  readonly #log: Logger;
  readonly #notifications: Notifications;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor({ databaseUrl, sweepRemoved, log }: Parts) {
    this.#sweepRemoved = sweepRemoved;
    this.#log = log;
    const sweep = () => this.#wake();
    this.#notifications = new Notifications(
      databaseUrl,
      REMOVED_CHANNEL,
      { onPayload: sweep, onReconnect: sweep },
      log,
    );
  }

  /** @throws when the database can't be reached. */
  async start(): Promise<void> {
    await this.#notifications.open();
    this.#timer = setInterval(() => this.#wake(), SWEEP_INTERVAL_MS);
    this.#wake();
  }

  /** Waits for the work that is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#notifications.close();
    await this.#running;
  }

  #wake(): void {
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#sweepRemoved();
      } catch (error) {
        this.#log.warn({ err: error }, "chunks of removed documents remain for now");
      }
    } while (this.#again && !this.#closed);
  }
}
