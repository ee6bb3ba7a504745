import { createHmac } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { errorCode } from "../../platform/error-code.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { type DueEvent, type EventStore, WAIT_MAX_SECONDS } from "./event-store.ts";
import type { WebhookHosts } from "./webhook-hosts.ts";

/** Receivers do some work of their own before they answer, and call back meanwhile. */
const DELIVERY_TIMEOUT_MS = 15_000;

const TOGETHER = 20;

const FIRST_WAIT_SECONDS = 15;
const GIVEN_UP_AFTER_HOURS = 24;

type DeliverParts = {
  readonly database: Database;
  readonly events: EventStore;
  readonly hosts: WebhookHosts;
  readonly log: Logger;
  readonly timeoutMs?: number;
};

/**
 * Delivers the events whose time has come. An attempt that the receiver refused for the moment (5xx, 429), or that did not
 * reach it, is repeated for a day. An attempt without an answer may have reached it: then the event about a submission is not
 * repeated, because receivers act on it.
 */
export function createDeliverEvents(parts: DeliverParts) {
  const { database, events, hosts, log, timeoutMs = DELIVERY_TIMEOUT_MS } = parts;

  return async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      const due = await database.transaction((transaction) => events.takeDue(transaction, TOGETHER));
      await Promise.all(due.map((event) => deliver(event)));
      if (due.length === 0) return;
    }
  };

  async function deliver(event: DueEvent): Promise<void> {
    const outcome = await send(event);
    const facts = { event: event.eventType, host: new URL(event.url).host, attempts: event.attempts };
    const isOver =
      outcome.kind === "delivered" ||
      outcome.kind === "refused" ||
      event.ageHours >= GIVEN_UP_AFTER_HOURS ||
      (outcome.kind === "unanswered" && event.eventType === "SUBMISSION_COMPLETE");
    if (outcome.kind !== "delivered")
      log.warn({ ...facts, reason: outcome.reason, isRepeated: !isOver }, "event not delivered");
    if (isOver) return events.end(database, event.eventId);
    const wait = FIRST_WAIT_SECONDS * 2 ** Math.min(event.attempts - 1, 20);
    return events.postpone(database, event.eventId, Math.min(wait, WAIT_MAX_SECONDS));
  }

  async function send({ url: address, eventType, body, signingSecret }: DueEvent): Promise<Outcome> {
    const url = new URL(address);
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const [pinned] = await inTime(hosts.resolve(url), deadline);
      if (pinned === undefined) return { kind: "unreachable", reason: "no address" };
      deadline.throwIfAborted();
      return await post(url, pinnedLookup(pinned), deadline, body, {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": "similarity-check",
        "x-turnitin-eventtype": eventType,
        "x-turnitin-signature": signatureOf(signingSecret, body),
      });
    } catch (error) {
      return { kind: "unreachable", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Lower-case hexadecimal HMAC-SHA256 of the body. The key is what the secret stands for in base64, as clients compute it. */
function signatureOf(signingSecret: string, body: string): string {
  return createHmac("sha256", Buffer.from(signingSecret, "base64")).update(body).digest("hex");
}

type Outcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused" | "busy" | "unreachable" | "unanswered"; readonly reason: string };

/** The connection goes to the address that was examined: a second look-up could give another one. */
function pinnedLookup(pinned: { readonly address: string; readonly family: 4 | 6 }): LookupFunction {
  return (_, options, done) => {
    if (options.all === true) done(null, [pinned]);
    else done(null, pinned.address, pinned.family);
  };
}

const TOO_LATE = "no answer in time";

/** A look-up of a name can't be aborted, but nobody has to wait for it. */
function inTime<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(TOO_LATE));
    deadline.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", giveUp));
  });
}

/** Redirects are not followed: they would lead to a host that was not examined. */
function post(
  url: URL,
  lookup: LookupFunction,
  deadline: AbortSignal,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const sent = request(url, { method: "POST", headers, lookup, agent: false });
    const giveUp = () => sent.destroy(new Error(TOO_LATE));
    deadline.addEventListener("abort", giveUp);
    sent.once("response", (response) => {
      deadline.removeEventListener("abort", giveUp);
      const { statusCode: status = 0 } = response;
      response.destroy();
      if (status >= 200 && status < 300) resolve({ kind: "delivered" });
      else
        resolve({ kind: status >= 500 || status === 429 ? "busy" : "refused", reason: `status ${status}` });
    });
    sent.once("error", (error) => {
      deadline.removeEventListener("abort", giveUp);
      const reason = errorCode(error) || error.message;
      resolve({ kind: sent.writableFinished ? "unanswered" : "unreachable", reason });
    });
    sent.end(body);
  });
}
