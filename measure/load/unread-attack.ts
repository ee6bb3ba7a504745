import type { EngineClient } from "../../test/support/client.ts";
import { findings, QUERIES, Workload } from "../../test/system/faults/workload.ts";
import { type HealthTimes, watchHealth } from "./health-watch.ts";
import { UnreadConnections } from "./slow-reader.ts";
import { addBooks, longText } from "./unequal-checks.ts";

const CONNECTIONS = 500;

export type AttackOutcome = {
  /** Rounds of 20 checks and 20 uploads. All were found again afterwards. */
  readonly rounds: number;
  /** Answers that did not accept a check or an upload, and streams that broke off. */
  readonly refused: number;
  readonly reconnects: number;
  readonly opened: number;
  readonly seconds: number;
  readonly health: HealthTimes;
};

/**
 * Asks for long reports over 500 connections that never read, and meanwhile does the work of other clients, 20 checks and 20
 * uploads at a time. @throws when a check or an upload is lost, or `/health` is not answered.
 */
export async function attackUnread(client: EngineClient, minutes: number): Promise<AttackOutcome> {
  await addBooks(client);
  const { check_id } = await client.checked(longText(0));
  const undisturbed = await Promise.all(QUERIES.map(async (text) => findings(await client.checked(text))));
  const report = `/v1/checks/${check_id}/report`;
  const watch = watchHealth(client);
  const started = performance.now();
  const attack = new UnreadConnections(client.base, [report, `${report}.html`], CONNECTIONS);
  const rounds: Workload[] = [];
  while (performance.now() - started < minutes * 60_000) {
    const round = new Workload(client, 1_000 + rounds.length);
    round.begin();
    await round.end();
    rounds.push(round);
  }
  const seconds = (performance.now() - started) / 1000;
  await attack.end();
  const health = await watch.end();
  for (const round of rounds) await round.expectUnchanged(undisturbed);
  return {
    rounds: rounds.length,
    refused: rounds.reduce((sum, { refusals }) => sum + refusals.length, 0),
    reconnects: rounds.reduce((sum, one) => sum + one.reconnects, 0),
    opened: attack.opened,
    seconds,
    health,
  };
}
