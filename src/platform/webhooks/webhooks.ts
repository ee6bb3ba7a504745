import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../postgres/database.ts";
import type { JobQueue, QueueDefinition } from "../postgres/job-queue.ts";
import { type DeliveryBacklog, type DeliveryOutcome, WebhookStore } from "./webhook-store.ts";

/** A change that the operator's other programs want to know of. It holds no text of a check or a document. */
export type WebhookEvent = {
  readonly type:
    | "check.completed"
    | "check.failed"
    | "check.reviewed"
    | "batch.completed"
    | "document.completed";
  /** The identifier of the check, the batch or the document. Events about one object arrive in their order. */
  readonly objectId: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, string | number | null>>;
};

/** Waiting deliveries to the targets of one host. */
export type WebhookBacklog = Omit<DeliveryBacklog, "targetId"> & { readonly target: string };

/** Records events, each in the transaction of its change: a kill loses neither without the other. */
export class Webhooks {
  readonly targets: readonly WebhookTarget[];
  readonly #queue: JobQueue;
  readonly #store = new WebhookStore();

  constructor(targets: readonly WebhookTarget[], queue: JobQueue) {
    this.targets = targets;
    this.#queue = queue;
  }

  /** Does nothing without targets. */
  async record(transaction: Queryable, { type, objectId, at, data }: WebhookEvent): Promise<void> {
    const eventId = uuidv7();
    const payload = JSON.stringify({ type, timestamp: at.toISOString(), data });
    for (const { targetId, queue } of this.targets) {
      const delivery = { deliveryId: uuidv7(), eventId, eventType: type, targetId, objectId, payload };
      if (await this.#store.insert(transaction, delivery))
        await this.#queue.enqueue(queue.name, delivery.deliveryId, transaction);
    }
  }

  /** Ends a delivery and lets the next one about the same object begin; undefined if it had ended. */
  async end(
    transaction: Queryable,
    deliveryId: string,
    outcome: DeliveryOutcome,
    fault?: string,
  ): Promise<{ readonly targetId: string } | undefined> {
    const ended = await this.#store.end(transaction, deliveryId, outcome, fault);
    const target = this.targets.find(({ targetId }) => targetId === ended?.targetId);
    // Events for a target that is no longer set are given up with their age.
    if (ended?.nextId !== undefined && target !== undefined)
      await this.#queue.enqueue(target.queue.name, ended.nextId, transaction);
    return ended;
  }

  /** The backlog of each host, including hosts without waiting events. */
  async backlog(db: Queryable): Promise<WebhookBacklog[]> {
    const byTarget = new Map((await this.#store.backlog(db)).map((one) => [one.targetId, one]));
    const byHost = new Map<string, WebhookBacklog>();
    for (const { targetId, host: target } of this.targets) {
      const { waiting = 0, oldestSeconds = 0 } = byTarget.get(targetId) ?? {};
      const other = byHost.get(target);
      byHost.set(target, {
        target,
        waiting: waiting + (other?.waiting ?? 0),
        oldestSeconds: Math.max(oldestSeconds, other?.oldestSeconds ?? 0),
      });
    }
    return [...byHost.values()];
  }
}

/** A receiver of events that the operator has set. */
export type WebhookTarget = {
  /** A hash of the address: tables and queues must not hold an address, which may have a secret in its path. */
  readonly targetId: string;
  readonly url: string;
  /** For logs and metrics; targets on one host share it. */
  readonly host: string;
  /** Each target has its own queue and workers, so that no target waits for another. */
  readonly queue: QueueDefinition;
};

/** The first wait; the others double, up to an hour. */
const RETRY_DELAY_SECONDS = 5;
const RETRY_DELAY_MAX_SECONDS = 3_600;

export function webhookTargets(urls: readonly string[]): WebhookTarget[] {
  const addresses = new Set(urls.map((url) => new URL(url).href));
  return [...addresses].map((url) => {
    const targetId = createHash("sha256").update(url).digest("hex").slice(0, 16);
    const queue = {
      name: `webhook-${targetId}`,
      retryDelaySeconds: RETRY_DELAY_SECONDS,
      retryDelayMaxSeconds: RETRY_DELAY_MAX_SECONDS,
    };
    return { targetId, url, host: new URL(url).host, queue };
  });
}
