import { setTimeout as sleep } from "node:timers/promises";
import { Submitted } from "../../src/checks/api/schema.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { EventReader } from "../../test/support/event-reader.ts";
import { type HealthTimes, watchHealth } from "./health-watch.ts";
import { openUnread } from "./slow-reader.ts";

/** How often those look who don't follow a stream. */
const LOOK_MS = 500;

/** A stream that has broken off is opened again after this. */
const RECONNECT_MS = 100;

export type FloodOptions = {
  /** All are submitted at the same moment. */
  readonly texts: readonly string[];
  /** Whether one that is refused is submitted again, until it is accepted. */
  readonly keepsTrying: boolean;
  /** The number of checks that are followed by a progress stream; the others are polled. */
  readonly streams: number;
  /** Streams that nobody reads. */
  readonly unread: number;
};

export type FloodOutcome = {
  readonly seconds: number;
  readonly submitSeconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly checkIds: readonly string[];
  /** Answers that did not accept a check; `withoutRetryAfter` should be none. */
  readonly refused: number;
  readonly withoutRetryAfter: number;
  readonly reconnects: number;
  readonly health: HealthTimes;
};

/** Submits many checks at once, follows them to their end, and asks `/health` meanwhile. */
export async function flood(client: EngineClient, options: FloodOptions): Promise<FloodOutcome> {
  const { texts, keepsTrying, streams, unread } = options;
  const refusals: (string | null)[] = [];
  let reconnects = 0;
  const watch = watchHealth(client);
  const started = performance.now();
  const submissions = texts.map((text) => submitted(client, text, keepsTrying, refusals));
  const checkIds = (await Promise.all(submissions)).filter((checkId) => checkId !== undefined);
  const submitSeconds = (performance.now() - started) / 1000;
  const sockets = await Promise.all(
    checkIds.slice(0, unread).map((id) => openUnread(client.base, `/v1/checks/${id}/progress`)),
  );
  const statuses = await Promise.all(
    checkIds.map(async (checkId, at) => {
      if (at >= streams) return endedByAsking(client, checkId);
      return followed(client, checkId, () => {
        reconnects += 1;
      });
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return {
    seconds,
    submitSeconds,
    statuses: Object.fromEntries(
      Map.groupBy(statuses, (status) => status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    ),
    checkIds,
    refused: refusals.length,
    withoutRetryAfter: refusals.filter((seen) => !(Number(seen) > 0)).length,
    reconnects,
    health: await watch.end(),
  };
}

async function submitted(
  client: EngineClient,
  text: string,
  keepsTrying: boolean,
  refusals: (string | null)[],
): Promise<string | undefined> {
  for (;;) {
    const answer = await client.json("POST", "/v1/checks", { query_text: text });
    if (answer.status === 202) return Submitted.parse(await answer.json()).check_id;
    if (answer.status !== 503) throw new Error(`submit: ${answer.status} ${await answer.text()}`);
    await answer.text();
    const retryAfter = answer.headers.get("retry-after");
    refusals.push(retryAfter);
    if (!keepsTrying) return undefined;
    await sleep(Number(retryAfter) * 1000);
  }
}

async function followed(client: EngineClient, checkId: string, onBroken: () => void): Promise<string> {
  for (;;) {
    const events = await client
      .request(`/v1/checks/${checkId}/progress`)
      .then((response) => (response.status === 200 ? new EventReader(response).rest() : []))
      .catch(() => []);
    const last = events.at(-1)?.event;
    if (last !== undefined) return last;
    onBroken();
    await sleep(RECONNECT_MS);
  }
}

async function endedByAsking(client: EngineClient, checkId: string): Promise<string> {
  for (;;) {
    const { status } = await client.check(checkId);
    if (status === "complete" || status === "failed") return status;
    await sleep(LOOK_MS);
  }
}
