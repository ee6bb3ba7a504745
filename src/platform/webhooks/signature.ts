import { createHmac } from "node:crypto";
import { WEBHOOK_SECRET_PREFIX } from "../config.ts";

/** The content of a delivery: the same identifier and payload in each attempt. */
export type WebhookMessage = {
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
