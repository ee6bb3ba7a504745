import { createHash } from "node:crypto";
import type { QueueDefinition } from "../postgres/job-queue.ts";

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
