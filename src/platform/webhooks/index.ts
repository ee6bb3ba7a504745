export {
  createDeliverWebhook,
  createPurgeWebhooks,
  DELIVERY_CONCURRENCY,
  PURGE_WEBHOOKS_QUEUE,
} from "./deliver-webhook.ts";
export { createWebhookMetrics } from "./webhook-metrics.ts";
export { webhookTargets } from "./webhook-target.ts";
export { type WebhookBacklog, type WebhookEvent, Webhooks } from "./webhooks.ts";
