import { setTimeout as sleep } from "node:timers/promises";
import { SubmittedBatch } from "../../../src/batches/api/schema.ts";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import type { WireBatchReport } from "../../../test/batches/batch-client.ts";
import { BatchClient } from "../../../test/batches/batch-client.ts";
import { EngineClient } from "../../../test/support/client.ts";
import { type EvaluationService, withEvaluationService } from "../checks/evaluation-service.ts";
import { readModernData } from "../modern/modern-texts.ts";
import { corpusTexts, type NamedText, sampleTexts } from "../texts/corpus-texts.ts";
import { openPanCorpus } from "../texts/pan-corpus.ts";
import { type PlantedSet, plantRings } from "./planted-rings.ts";
import { type F1, type RingScore, scoreRings } from "./score-rings.ts";

export type BatchesRequest = {
  readonly modernDir: string;
  readonly corpusPath: string;
  /** How many pairs of no ring are shown with their texts. */
  readonly errors: number;
  readonly wordsOnly: boolean;
  /** The largest set. */
  readonly limit: number;
};

/** Rings of each kind among so many members. */
export const RING_SETS = [
  { members: 100, wordsEach: 2_000, ringsOfKind: 2 },
  { members: 1_000, wordsEach: 2_000, ringsOfKind: 15 },
] as const;

/** Measures who is found to share text in sets with planted rings. */
export async function evaluateBatches(
  { modernDir, corpusPath, errors, wordsOnly, limit }: BatchesRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const [texts, data] = await Promise.all([ownTexts(corpusPath, say), readModernData(modernDir)]);
  const lines: string[] = [];
  const result: unknown[] = [];
  await withEvaluationService([], { say, wordsOnly }, async (service) => {
    if (!wordsOnly) await modelStored(service);
    for (const options of RING_SETS.filter(({ members }) => members <= limit)) {
      signal.throwIfAborted();
      const planted = plantRings(texts, data, options);
      const client = new BatchClient(() => new EngineClient(service.client.base));
      const started = performance.now();
      const batchId = await compareSet(client, planted);
      const seconds = (performance.now() - started) / 1000;
      const report = await client.report(batchId, "?limit=1000");
      const clusters = report.clusters.map(({ members }) => members.map(memberName));
      const score = scoreRings(planted, clusters);
      lines.push(
        ...scoreLines(options.members, score),
        `  ${report.pairs_total} pairs, ${seconds.toFixed(0)} s`,
        ...(await errorLines(client, report, planted, errors)),
      );
      result.push({ ...options, ...score, pairs_found: report.pairs_total, seconds });
    }
  });
  return { lines, result };
}

/** The sources of the members' own text: articles, and then web texts for large sets. */
export async function ownTexts(corpusPath: string, say: (line: string) => void): Promise<NamedText[]> {
  const pan = await openPanCorpus(corpusPath);
  const webTexts = pan === undefined ? [] : await Array.fromAsync(corpusTexts(pan, undefined, say));
  return [...(await sampleTexts(say)), ...webTexts];
}

/** Submits a set and gives its identifier once it is compared. */
export async function compareSet(client: BatchClient, { members, template }: PlantedSet): Promise<string> {
  const form = new FormData();
  for (const { name, text } of members) form.append("files", new Blob([text]), `${name}.txt`);
  form.append("templates", new Blob([template]), "template.txt");
  const answer = await client.engine.request("/v1/batches", { method: "POST", body: form });
  if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${await answer.text()}`);
  const { batch_id: batchId } = SubmittedBatch.parse(await answer.json());
  await client.ended(batchId);
  return batchId;
}

/** The name under which it was planted. */
export function memberName({ name }: { readonly name: string }): string {
  return name.replace(/\.txt$/, "");
}

/** The most similar pairs of members that are not in one ring, with the beginnings of their passages. */
async function errorLines(
  client: BatchClient,
  report: WireBatchReport,
  { members }: PlantedSet,
  errors: number,
): Promise<string[]> {
  const ringOf = new Map(members.map(({ name, ring }) => [name, ring?.number]));
  const wrong = report.pairs.filter(({ a, b }) => {
    const ring = ringOf.get(memberName(a));
    return ring === undefined || ring !== ringOf.get(memberName(b));
  });
  const lines: string[] = [];
  for (const { a, b, similarity_pct } of wrong.slice(0, errors)) {
    lines.push(`  ${memberName(a)}, ${memberName(b)}: ${similarity_pct}%`);
    const pair = await client.pair(report.batch_id, a.member_id, b.member_id, "?offset_unit=utf16");
    for (const passage of pair.passages)
      lines.push(
        `    ${excerpt(pair.b.text, passage.query_start, passage.query_end)}`,
        `    ${excerpt(pair.a.text, passage.source_document_start, passage.source_document_end)}`,
      );
  }
  return lines;
}

function excerpt(text: string, start: number, end: number): string {
  return `[${start}, ${end}) ${text.slice(start, Math.min(end, start + EXCERPT_CHARS)).replaceAll(/\s+/g, " ")}`;
}

const EXCERPT_CHARS = 300;

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
