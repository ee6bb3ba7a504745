import { Counter, type Registry } from "prom-client";
import type { WebhookTarget } from "./webhook-target.ts";

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

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
