import type { Queryable } from "../postgres/database.ts";
import { columns } from "../postgres/sql.ts";

/** How a delivery ended. */
export type DeliveryOutcome = "delivered" | "given_up";

type NewDelivery = {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly targetId: string;
  readonly objectId: string;
  readonly payload: string;
};

/** A delivery that has not ended. */
type WaitingDelivery = {
  readonly eventId: string;
  readonly eventType: string;
  readonly objectId: string;
  readonly payload: string;
  /** The number of earlier attempts. All of them failed. */
  readonly attempts: number;
  readonly ageHours: number;
};

/** The waiting deliveries to a target. */
export type DeliveryBacklog = {
  readonly targetId: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
};

const AGE_SECONDS = "greatest(0, extract(epoch from now() - created_at))";

/** The rows of deliveries. Each method takes the connection or transaction that it runs on. */
export class WebhookStore {
  /** Adds a delivery; true if it is the first that waits about its object, and so needs a job. */
  async insert(transaction: Queryable, delivery: NewDelivery): Promise<boolean> {
    const { deliveryId, eventId, eventType, targetId, objectId, payload } = delivery;
    // Locked, so that the end of the earlier delivery sees this one, or this one sees that end.
    const earlier = await transaction.query(
      `select from webhook_deliveries where target = $1 and object_id = $2 and ended_at is null
        order by seq for update`,
      [targetId, objectId],
    );
    await transaction.query(
      `insert into webhook_deliveries (delivery_id, event_id, event_type, target, object_id, payload)
       values ($1, $2, $3, $4, $5, $6)`,
      [deliveryId, eventId, eventType, targetId, objectId, payload],
    );
    return earlier.length === 0;
  }

  async findWaiting(db: Queryable, deliveryId: string): Promise<WaitingDelivery | undefined> {
    const [row] = await db.query<WaitingDelivery>(
      `select ${columns("event_id, event_type, object_id, payload, attempts")}, ${AGE_SECONDS} / 3600 as "ageHours"
         from webhook_deliveries where delivery_id = $1 and ended_at is null`,
      [deliveryId],
    );
    return row;
  }

  async noteFault(db: Queryable, deliveryId: string, fault: string): Promise<void> {
    await db.query(
      "update webhook_deliveries set attempts = attempts + 1, last_fault = $2 where delivery_id = $1 and ended_at is null",
      [deliveryId, fault],
    );
  }

  /** Ends a delivery. @returns the next one about the same object, which needs a job now; undefined if there is none, or if it had ended. */
  async end(
    transaction: Queryable,
    deliveryId: string,
    outcome: DeliveryOutcome,
    fault: string | undefined,
  ): Promise<{ readonly targetId: string; readonly nextId: string | undefined } | undefined> {
    const [ended] = await transaction.query<{ targetId: string; objectId: string }>(
      `update webhook_deliveries set ended_at = now(), outcome = $2, payload = null, last_fault = coalesce($3, last_fault),
              attempts = attempts + ($2 = 'delivered')::int
        where delivery_id = $1 and ended_at is null returning target as "targetId", object_id as "objectId"`,
      [deliveryId, outcome, fault ?? null],
    );
    if (ended === undefined) return undefined;
    const [next] = await transaction.query<{ deliveryId: string }>(
      `select delivery_id as "deliveryId" from webhook_deliveries
        where target = $1 and object_id = $2 and ended_at is null order by seq limit 1`,
      [ended.targetId, ended.objectId],
    );
    return { targetId: ended.targetId, nextId: next?.deliveryId };
  }

  /** Some deliveries that have waited for longer than so many hours, oldest first. */
  async waitingLongerThan(db: Queryable, hours: number, limit: number): Promise<string[]> {
    const rows = await db.query<{ delivery_id: string }>(
      `select delivery_id from webhook_deliveries
        where ended_at is null and created_at < now() - make_interval(hours => $1) order by created_at limit $2`,
      [hours, limit],
    );
    return rows.map((row) => row.delivery_id);
  }

  /** Removes the history of deliveries that ended more than so many days ago, and returns their number. */
  async purge(db: Queryable, days: number): Promise<number> {
    const [row] = await db.query<{ purged: number }>(
      `with purged as (delete from webhook_deliveries where ended_at < now() - make_interval(days => $1) returning 1)
       select count(*) as purged from purged`,
      [days],
    );
    return row?.purged ?? 0;
  }

  backlog(db: Queryable): Promise<DeliveryBacklog[]> {
    return db.query<DeliveryBacklog>(
      `select target as "targetId", count(*) as waiting, max(${AGE_SECONDS})::float8 as "oldestSeconds"
         from webhook_deliveries where ended_at is null group by target`,
    );
  }
}
