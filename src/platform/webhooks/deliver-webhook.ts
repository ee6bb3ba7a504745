import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, type Registry } from "prom-client";
import { WEBHOOK_SECRET_PREFIX } from "../config.ts";
import { HandedBack } from "../domain-error.ts";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import type { Database } from "../postgres/database.ts";
import type { JobHandler } from "../postgres/job-queue.ts";
import { WebhookStore } from "./webhook-store.ts";
import type { Webhooks, WebhookTarget } from "./webhooks.ts";

/** Deliveries to one target that a worker process makes at a time, and so its connections to it. */
export const DELIVERY_CONCURRENCY = 2;

/** Standard Webhooks recommends 15 to 30 s; a receiver that only notes the event answers within milliseconds. */
const DELIVERY_TIMEOUT_MS = 15_000;

/** How long an event is retried before it is given up. */
const GIVEN_UP_AFTER_HOURS = 24;

/** Then a process pauses before it asks a target again: whatever waits for it would fail in the same way. */
const FAILURES_BEFORE_PAUSE = 3;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 60_000;

/** The status by which a receiver says that it wants no further attempts. */
const GONE_STATUS = 410;

/** How long the end of a delivery can be looked up. */
const HISTORY_DAYS = 7;

/** Deliveries whose age is looked at together. */
const GIVEN_UP_TOGETHER = 500;

export const PURGE_WEBHOOKS_QUEUE = "purge-webhooks";

type DeliverWebhookParts = {
  readonly database: Database;
  readonly webhooks: Webhooks;
  readonly metrics: WebhookMetrics;
  readonly log: Logger;
};

type DeliverParts = DeliverWebhookParts & {
  readonly secrets: readonly string[];
  readonly timeoutMs?: number;
  readonly pauseMaxMs?: number;
  readonly now?: () => Date;
};

/**
 * Delivers one event to a target. A failed delivery goes back to the queue, which repeats it after a growing wait, until the
 * event is a day old. A receiver may get an event twice, after a kill or a lost answer; its `webhook-id` is the same then.
 */
export function createDeliverWebhook(parts: DeliverParts, target: WebhookTarget): JobHandler {
  const { database, webhooks, metrics, log, secrets, now = () => new Date() } = parts;
  const { timeoutMs = DELIVERY_TIMEOUT_MS, pauseMaxMs = PAUSE_MAX_MS } = parts;
  const store = new WebhookStore();
  const pause = new Pause(pauseMaxMs);

  return async (deliveryId, signal) => {
    // Before the reading: meanwhile the delivery may be given up, and the next one about its object begin.
    await pause.pass(signal);
    const delivery = await store.findWaiting(database, deliveryId);
    if (delivery === undefined) return;
    const facts = { eventId: delivery.eventId, event: delivery.eventType, target: target.host };
    if (delivery.ageHours >= GIVEN_UP_AFTER_HOURS) return end("given_up");
    const message = { id: delivery.eventId, payload: delivery.payload };
    const fault = await send(message, signal);
    // Also while the service stops: the receiver has it, and would get it again.
    if (fault === undefined) {
      pause.reset();
      return end("delivered");
    }
    signal.throwIfAborted();
    if (fault.status === GONE_STATUS) return end("given_up", fault.reason);
    pause.afterFailure();
    await store.noteFault(database, deliveryId, fault.reason);
    metrics.webhookAttempts.inc({ target: target.host, outcome: "failed" });
    log.warn({ ...facts, reason: fault.reason, attempts: delivery.attempts + 1 }, "event not delivered yet");
    throw new HandedBack(`not delivered: ${fault.reason}`);

    async function end(outcome: "delivered" | "given_up", reason?: string): Promise<void> {
      const ended = await database.transaction((transaction) =>
        webhooks.end(transaction, deliveryId, outcome, reason),
      );
      if (ended === undefined) return;
      metrics.webhookAttempts.inc({ target: target.host, outcome });
      if (outcome === "given_up") log.error({ ...facts, reason }, "event given up");
    }
  };

  /** Undefined once the receiver has the message. */
  async function send(message: WebhookMessage, signal: AbortSignal): Promise<Fault | undefined> {
    try {
      const response = await fetch(target.url, {
        method: "POST",
        // A redirect would send the event somewhere that the operator has not set.
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": "similarity-check",
          ...signatureHeaders(secrets, message, now()),
        },
        body: message.payload,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      // Once the status is known, a connection that is reset changes nothing.
      await response.body?.cancel().catch(() => undefined);
      return response.ok ? undefined : { reason: `status ${response.status}`, status: response.status };
    } catch (error) {
      return { reason: faultOf(error) };
    }
  }
}

type Fault = { readonly reason: string; readonly status?: number };

/** Never the message, which may quote the address. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "no connection";
  if (error.name === "TimeoutError") return "no answer in time";
  return errorCode(error.cause) || "no connection";
}

/** The pause before the next attempt at a target that fails again and again; a success ends it. */
class Pause {
  readonly #maxMs: number;
  #failures = 0;
  #until = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** @throws HandedBack when the service stops meanwhile. */
  async pass(signal: AbortSignal): Promise<void> {
    for (let left = this.#left(); left > 0; left = this.#left()) {
      await sleep(left, undefined, { signal }).catch((error: unknown) => {
        throw new HandedBack("the service stops", { cause: error });
      });
    }
  }

  afterFailure(): void {
    this.#failures += 1;
    const doubled = FIRST_PAUSE_MS * 2 ** (this.#failures - FAILURES_BEFORE_PAUSE);
    if (this.#failures >= FAILURES_BEFORE_PAUSE)
      this.#until = performance.now() + Math.min(doubled, this.#maxMs);
  }

  reset(): void {
    this.#failures = 0;
    this.#until = 0;
  }

  #left(): number {
    return Math.ceil(this.#until - performance.now());
  }
}

/**
 * Gives up the events that nobody delivers any more, as their target was taken out of the settings, and removes old history.
 */
export function createPurgeWebhooks({ database, webhooks, metrics, log }: DeliverWebhookParts): JobHandler {
  const store = new WebhookStore();
  return async (_, signal) => {
    for (;;) {
      signal.throwIfAborted();
      const deliveryIds = await store.waitingLongerThan(database, GIVEN_UP_AFTER_HOURS, GIVEN_UP_TOGETHER);
      for (const deliveryId of deliveryIds) {
        const ended = await database.transaction((transaction) =>
          webhooks.end(transaction, deliveryId, "given_up"),
        );
        const target = webhooks.targets.find(({ targetId }) => targetId === ended?.targetId);
        if (target !== undefined) metrics.webhookAttempts.inc({ target: target.host, outcome: "given_up" });
      }
      if (deliveryIds.length > 0) log.error({ events: deliveryIds.length }, "events given up after a day");
      if (deliveryIds.length < GIVEN_UP_TOGETHER) break;
    }
    const purged = await store.purge(database, HISTORY_DAYS);
    if (purged > 0) log.info({ purged }, "history of deliveries removed");
  };
}

type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

/** Counters that alerts use start at 0: Prometheus sees no increase in a series that its first event creates. */
export function createWebhookMetrics(registry: Registry, targets: readonly WebhookTarget[]) {
  const webhookAttempts = new Counter({
    name: "similarity_webhook_attempts_total",
    help: "Attempts to deliver an event, by the target's host and outcome: delivered, failed (to be repeated) or given_up",
    labelNames: ["target", "outcome"],
    registers: [registry],
  });
  for (const { host: target } of targets)
    for (const outcome of ["delivered", "failed", "given_up"]) webhookAttempts.inc({ target, outcome }, 0);
  return { webhookAttempts };
}

/** The content of a delivery: the same identifier and payload in each attempt. */
type WebhookMessage = {
  readonly id: string;
  readonly payload: string;
};

/**
 * The headers by which a receiver verifies a message (Standard Webhooks, symmetric signatures v1): HMAC-SHA256 over
 * `id.timestamp.payload`. With several secrets there is a signature by each, so that a secret can be replaced without a gap.
 * @param sentAt of this attempt: receivers refuse messages that are minutes old.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, payload }: WebhookMessage,
  sentAt: Date,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${payload}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), "base64");
}
