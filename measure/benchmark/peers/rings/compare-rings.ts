import { join } from "node:path";
import { BatchClient } from "../../../../test/batches/batch-client.ts";
import { ServiceProcess } from "../../../../test/support/processes/service-process.ts";
import { compareSet, memberName, ownTexts, RING_SETS } from "../../../evaluation/batches/evaluate-batches.ts";
import { type PlantedSet, plantRings } from "../../../evaluation/batches/planted-rings.ts";
import { type RingScore, scoreRings } from "../../../evaluation/batches/score-rings.ts";
import { readModernData } from "../../../evaluation/modern/modern-texts.ts";
import { figureTable } from "../../../evaluation/report/score-lines.ts";
import { MODERN_DATA, PAN13_ARCHIVE } from "../../../evaluation/texts/places.ts";
import type { BenchmarkStores } from "../../benchmark-stores.ts";
import { peakMemoryMb } from "../../check-benchmark.ts";
import { writeTexts } from "../data-sets.ts";
import { PeerMissing } from "../peer-job.ts";
import type { PythonPeers } from "../python-peers.ts";
import { type RingPair, ringPeers } from "./ring-peers.ts";

/** Thresholds that are tried for a tool: at equal steps of its pairs, from the weakest. */
const THRESHOLDS = 200;

type RingRow = {
  readonly name: string;
  readonly seconds: number;
  readonly memoryMb: number;
  readonly pairs: number;
  readonly score: RingScore;
};

/** Gives sets with planted rings to the product and to other tools, and shows for each who is found to share text. */
export async function compareRings(
  stores: BenchmarkStores,
  { folder, dataDir, python, limit }: RingOptions,
  say: (line: string) => void,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const [texts, data] = await Promise.all([ownTexts(PAN13_ARCHIVE, say), readModernData(MODERN_DATA)]);
  const lines: string[] = [];
  const result: unknown[] = [];
  for (const options of RING_SETS.filter(({ members }) => members <= limit)) {
    const planted = plantRings(texts, data, options);
    const rows: RingRow[] = [];
    const failures: string[] = [];
    const add = (row: RingRow) => {
      rows.push(row);
      say(shown(row).join("  "));
    };
    add(await ours(stores, planted));
    const files = await writeTexts(
      join(folder, String(options.members), "texts"),
      planted.members.map(({ name, text }) => ({
        name: `${name}.txt`,
        text: text.replace(planted.template, ""),
      })),
    );
    for (const { name, run } of ringPeers(dataDir, python)) {
      try {
        const { pairs, ...measured } = await run(files);
        add({ name, ...measured, ...bestScore(planted, pairs) });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        failures.push(
          `${name}: ${error instanceof PeerMissing ? error.message : `failed: ${error.message}`}`,
        );
        say(failures.at(-1) ?? "");
      }
    }
    lines.push(
      `${options.members.toLocaleString("en")} members`,
      ...figureTable([HEADER, ...rows.map(shown)]),
      ...failures,
    );
    result.push({ ...options, rows, failures });
  }
  return { lines, result };
}

export type RingOptions = {
  /** Is filled with the texts. */
  readonly folder: string;
  readonly dataDir: string;
  readonly python: PythonPeers | PeerMissing;
  /** Members of the largest set. */
  readonly limit: number;
};

export const RING_NOTES = [
  "All texts of a set are compared with each other. Ours: a batch by HTTP, words only, with the template as such and the threshold of 3%;",
  "memory of the service beside its stores. The others get the texts without the template, and the threshold at which they do best on",
  "this very set. In a ring: F1 of members that belong to a ring; same ring: F1 of pairs within one ring. By kind: members connected with their ring.",
] as const;

const HEADER = [
  "",
  "seconds",
  "MB",
  "pairs",
  "in a ring",
  "same ring",
  "verbatim",
  "edited",
  "reworded",
  "translated",
];

function shown({ name, seconds, memoryMb, pairs, score }: RingRow): string[] {
  const { membership, pairs: same, recallByKind } = score;
  const shares = [membership.f1, same.f1, ...Object.values(recallByKind)];
  const counts = [seconds.toFixed(1), memoryMb.toFixed(0), String(pairs)];
  return [name, ...counts, ...shares.map((share) => share.toFixed(3))];
}

async function ours({ environment }: BenchmarkStores, planted: PlantedSet): Promise<RingRow> {
  const service = await ServiceProcess.start({ ...environment, SEMANTIC: "off" });
  try {
    const client = new BatchClient(() => service.client);
    const started = performance.now();
    const batchId = await compareSet(client, planted);
    const seconds = (performance.now() - started) / 1000;
    const { clusters, pairs_total: pairs } = await client.report(batchId);
    const named = clusters.map(({ members }) => members.map(memberName));
    const score = scoreRings(planted, named);
    return { name: "Similarity Check", seconds, memoryMb: await peakMemoryMb(service.pid), pairs, score };
  } finally {
    await service.end("SIGTERM");
  }
}

/** The score at the threshold with the highest F1 of members in rings, and the pairs that reach it. */
function bestScore(planted: PlantedSet, pairs: readonly RingPair[]): Pick<RingRow, "score" | "pairs"> {
  const strongest = pairs.toSorted((x, y) => y.strength - x.strength);
  const step = Math.max(1, Math.floor(strongest.length / THRESHOLDS));
  let best = { score: scoreRings(planted, []), pairs: 0 };
  for (let count = step; count <= strongest.length; count += step) {
    const groups = connected(strongest.slice(0, count));
    const score = scoreRings(
      planted,
      groups.map((group) => group.map((name) => memberName({ name }))),
    );
    if (score.membership.f1 > best.score.membership.f1) best = { score, pairs: count };
  }
  return best;
}

/** The groups of texts that pairs connect. */
function connected(pairs: readonly RingPair[]): string[][] {
  const groupOf = new Map<string, string[]>();
  for (const { a, b } of pairs) {
    const [one, other] = [groupOf.get(a) ?? [a], groupOf.get(b) ?? [b]];
    if (one === other) continue;
    const joined = [...one, ...other];
    for (const name of joined) groupOf.set(name, joined);
  }
  return [...new Set(groupOf.values())];
}
