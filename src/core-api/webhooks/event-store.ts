import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../../platform/postgres/database.ts";
import { columns } from "../../platform/postgres/sql.ts";

export const EVENT_TYPES = [
  "SUBMISSION_COMPLETE",
  "SIMILARITY_COMPLETE",
  "SIMILARITY_UPDATED",
  "PDF_STATUS",
  "GROUP_ATTACHMENT_COMPLETE",
] as const;
type EventType = (typeof EVENT_TYPES)[number];

/** A receiver of events that a client has set. */
export type Webhook = {
  readonly webhookId: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
  readonly allowInsecure: boolean;
  readonly createdAt: Date;
};

type NewWebhook = Omit<Webhook, "webhookId" | "createdAt"> & { readonly signingSecret: string };

const COLUMNS = columns("webhook_id, url, description, event_types, allow_insecure, created_at");

/** An event whose turn has come. */
export type DueEvent = {
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly attempts: number;
  readonly ageHours: number;
  readonly url: string;
  readonly signingSecret: string;
};

/** Deliveries of a process that was killed are looked at again after this time; an attempt takes 15 s at most. */
const INTERRUPTED_SECONDS = 120;

/** The longest wait before an event is sent again. */
export const WAIT_MAX_SECONDS = 3_600;

/** Events of one webhook that are sent at once. */
const OF_ONE_WEBHOOK = 4;

/** The rows of webhooks and of the events that wait for them. Each method takes the connection or transaction that it runs on. */
export class EventStore {
  /** Adds a webhook in place of one with the same address: the new secret holds, also for events that wait. */
  async replaceWebhook(db: Queryable, keyName: string, webhook: NewWebhook): Promise<Webhook> {
    const { url, description, eventTypes, allowInsecure, signingSecret } = webhook;
    const [added] = await db.query<Webhook>(
      `insert into core_api_webhooks (webhook_id, key_name, url, description, event_types, allow_insecure, signing_secret)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (key_name, url) do update set webhook_id = excluded.webhook_id, description = excluded.description,
         event_types = excluded.event_types, allow_insecure = excluded.allow_insecure,
         signing_secret = excluded.signing_secret, created_at = now()
       returning ${COLUMNS}`,
      [uuidv7(), keyName, url, description, eventTypes, allowInsecure, signingSecret],
    );
    if (added === undefined) throw new Error("PostgreSQL returned no webhook");
    return added;
  }

  /** Changes a webhook; events that wait are sent with the new secret. Undefined for an unknown one. */
  async changeWebhook(
    db: Queryable,
    keyName: string,
    { webhookId, url, description, eventTypes, allowInsecure }: Webhook,
    signingSecret: string | undefined,
  ): Promise<Webhook | undefined> {
    const [changed] = await db.query<Webhook>(
      `update core_api_webhooks set url = $3, description = $4, event_types = $5, allow_insecure = $6,
              signing_secret = coalesce($7, signing_secret)
        where key_name = $1 and webhook_id = $2 returning ${COLUMNS}`,
      [keyName, webhookId, url, description, eventTypes, allowInsecure, signingSecret],
    );
    return changed;
  }

  listWebhooks(db: Queryable, keyName: string): Promise<Webhook[]> {
    return db.query<Webhook>(
      `select ${COLUMNS} from core_api_webhooks where key_name = $1 order by created_at, webhook_id`,
      [keyName],
    );
  }

  async deleteWebhook(db: Queryable, keyName: string, webhookId: string): Promise<boolean> {
    const rows = await db.query(
      "delete from core_api_webhooks where key_name = $1 and webhook_id = $2 returning 1",
      [keyName, webhookId],
    );
    return rows.length > 0;
  }

  /**
   * Records an event for each webhook of a key that wants it. Events about the same that wait are dropped; those that are being sent
   * are not sent again.
   */
  async record(
    transaction: Queryable,
    { keyName, submissionId }: { readonly keyName: string; readonly submissionId: string },
    { type, body, dueAt }: { readonly type: EventType; readonly body: object; readonly dueAt: Date },
  ): Promise<void> {
    const json = asciiJson(body);
    const same = `submission_id = $1
      and event_type = any (case when $2 = 'SIMILARITY_COMPLETE' then array[$2, 'SIMILARITY_UPDATED'] else array[$2] end)`;
    await transaction.query(`delete from core_api_events where ${same} and sending_since is null`, [
      submissionId,
      type,
    ]);
    await transaction.query(`update core_api_events set outdated = true where ${same}`, [submissionId, type]);
    if (type === "SIMILARITY_UPDATED")
      await transaction.query(
        `update core_api_events set body = $2 where submission_id = $1 and event_type = 'SIMILARITY_COMPLETE'`,
        [submissionId, json],
      );
    await transaction.query(
      `insert into core_api_events (event_id, webhook_id, submission_id, event_type, body, due_at)
       select gen_random_uuid(), webhook_id, $2, $3, $4, $5 from core_api_webhooks where key_name = $1 and $3 = any(event_types)`,
      [keyName, submissionId, type, json, dueAt],
    );
  }

  /**
   * Takes events whose time has come, a few of each webhook, so that a slow receiver does not hold up others; nobody else gets them. Of the events that a killed process was sending, those about a
   * submission are dropped, because receivers must not get them twice, and the others are sent again.
   */
  async takeDue(transaction: Queryable, limit: number): Promise<DueEvent[]> {
    // Times further ahead than any that is set are from before the clock was set back.
    const span = `interval '${INTERRUPTED_SECONDS} seconds'`;
    const interrupted = `sending_since not between now() - ${span} and now() + ${span}`;
    await transaction.query(
      `delete from core_api_events where ${interrupted} and (outdated or event_type = 'SUBMISSION_COMPLETE')`,
    );
    await transaction.query(`update core_api_events set sending_since = null where ${interrupted}`);
    return transaction.query<DueEvent>(
      `with due as (
         select event_id from core_api_events
          where sending_since is null and event_id in (
            select event_id from (
              select event_id, row_number() over (partition by webhook_id order by due_at) as place
                from core_api_events
               where due_at not between now() and now() + interval '${WAIT_MAX_SECONDS} seconds' and sending_since is null) as ranked
             where place <= $2)
          order by due_at limit $1 for update skip locked)
       update core_api_events as event set sending_since = now(), attempts = attempts + 1
         from due, core_api_webhooks as webhook
        where event.event_id = due.event_id and webhook.webhook_id = event.webhook_id
       returning event.event_id as "eventId", event_type as "eventType", body, attempts, url,
                 signing_secret as "signingSecret", extract(epoch from now() - event.created_at)::float8 / 3600 as "ageHours"`,
      [limit, OF_ONE_WEBHOOK],
    );
  }

  async end(db: Queryable, eventId: string): Promise<void> {
    await db.query("delete from core_api_events where event_id = $1", [eventId]);
  }

  /** Has an event sent again later, unless a later event has outdated it. */
  async postpone(db: Queryable, eventId: string, seconds: number): Promise<void> {
    await db.query(
      `update core_api_events set sending_since = null, due_at = now() + make_interval(secs => $2) where event_id = $1`,
      [eventId, seconds],
    );
    await db.query("delete from core_api_events where event_id = $1 and outdated", [eventId]);
  }
}

/** JSON in ASCII: some receivers decode the body with the charset of their platform before they verify its signature. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
