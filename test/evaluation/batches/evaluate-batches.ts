import { setTimeout as sleep } from "node:timers/promises";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import type { WireBatchReport } from "../../batches/batch-client.ts";
import { BatchClient } from "../../batches/batch-client.ts";
import { EngineClient } from "../../support/client.ts";
import { type EvaluationService, withEvaluationService } from "../checks/evaluation-service.ts";
import { readModernData } from "../modern/modern-texts.ts";
import { sampleTexts } from "../texts/corpus-texts.ts";
import { type PlantedSet, plantRings } from "./planted-rings.ts";
import { type F1, type RingScore, scoreRings } from "./score-rings.ts";

export type BatchesRequest = {
  readonly modernDir: string;
  readonly wordsOnly: boolean;
  /** The largest set. */
  readonly limit: number;
};

/** The words of the articles suffice for 2,000 a member in the first set, and for 1,000 in the second. */
const SETS = [
  { members: 100, wordsEach: 2_000, ringsOfKind: 2 },
  { members: 1_000, wordsEach: 1_000, ringsOfKind: 15 },
] as const;

/** Measures who is found to share text in sets with planted rings. */
export async function evaluateBatches(
  { modernDir, wordsOnly, limit }: BatchesRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const [articles, data] = await Promise.all([sampleTexts(say), readModernData(modernDir)]);
  const lines: string[] = [];
  const result: unknown[] = [];
  await withEvaluationService([], { say, wordsOnly }, async (service) => {
    if (!wordsOnly) await modelStored(service);
    for (const options of SETS.filter(({ members }) => members <= limit)) {
      signal.throwIfAborted();
      const planted = plantRings(articles, data, options);
      const started = performance.now();
      const report = await reportOf(new BatchClient(() => new EngineClient(service.client.base)), planted);
      const seconds = (performance.now() - started) / 1000;
      const clusters = report.clusters.map(({ members }) => members.map(({ name }) => name));
      const score = scoreRings(planted, clusters);
      lines.push(
        ...scoreLines(options.members, score),
        `  ${report.pairs_total} pairs, ${seconds.toFixed(0)} s`,
      );
      result.push({ ...options, ...score, pairs_found: report.pairs_total, seconds });
    }
  });
  return { lines, result };
}

async function reportOf(client: BatchClient, { members, template }: PlantedSet): Promise<WireBatchReport> {
  const files = Object.fromEntries(members.map(({ name, text }) => [`${name}.txt`, text]));
  const form = new FormData();
  for (const [name, text] of Object.entries(files)) form.append("files", new Blob([text]), name);
  form.append("templates", new Blob([template]), "template.txt");
  const answer = await client.engine.request("/v1/batches", { method: "POST", body: form });
  if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${await answer.text()}`);
  const submitted: { readonly batch_id: string } = JSON.parse(await answer.text());
  await client.ended(submitted.batch_id);
  const report = await client.report(
    submitted.batch_id,
    "?exclude_quotes=true&exclude_common=true&limit=1000",
  );
  const strip = <T extends { readonly name: string }>(one: T): T => ({
    ...one,
    name: one.name.replace(/\.txt$/, ""),
  });
  return {
    ...report,
    clusters: report.clusters.map(({ members: of, pairs }) => ({ members: of.map(strip), pairs })),
  };
}

/** A new service fetches the model of its encoder in the background. */
async function modelStored({ database }: EvaluationService): Promise<void> {
  while ((await database.query("select from semantic_models where is_current")).length === 0)
    await sleep(500);
}

function scoreLines(members: number, { membership, pairs, recallByKind }: RingScore): string[] {
  const show = ({ f1, precision, recall }: F1) =>
    `F1 ${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)})`;
  const kinds = Object.entries(recallByKind).map(([kind, recall]) => `${kind} ${recall.toFixed(3)}`);
  return [
    `${members} members`,
    `  ring membership: ${show(membership)}`,
    `  pairs in one ring: ${show(pairs)}`,
    `  members connected with their ring: ${kinds.join(", ")}`,
  ];
}
