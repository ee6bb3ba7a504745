import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { canonical, type Line, lineOf, type Names, namesIn, printed } from "./canonical.ts";
import type { Item } from "./items.ts";
import { type Answer, readAnswer } from "./service.ts";

/** One of so many reports is also read in all these ways. */
const VARIED_EVERY = 12;

const VARIANTS = [
  "report?explain=true",
  "report?offset_unit=utf16&length_unit=code_point",
  "report?exclude_quotes=true&exclude_bibliography=true&min_words=10&explain=true",
  "report?match_types=paraphrased,translated",
  "passages.csv",
  "passages.csv?match_types=identical,minor_changes",
  "report.html",
  "report.html?min_words=20",
];

const BATCH_PARTS = [
  "report?limit=1000&min_similarity=0",
  "report?exclude_quotes=false&exclude_common=false",
  "graph",
  "pairs.csv",
  "members.csv",
];

/** The most similar pairs of a batch are read with their passages. */
const PAIRS = 10;

const Submitted = z.object({ check_id: z.string() });
const SubmittedBatch = z.object({ batch_id: z.string() });
const Batch = z.object({ members: z.array(z.object({ name: z.string(), check_id: z.string().nullable() })) });
const Member = z.object({ member_id: z.string(), name: z.string() });
const Report = z.object({ pairs: z.array(z.object({ a: Member, b: Member })) });

export type RecordOptions = {
  /** Begins each key. */
  readonly prefix: string;
  /** Documents of the corpus, in whose place their titles are recorded. */
  readonly documents: Names;
  /** Receives the full answers. */
  readonly answers: string | undefined;
};

/** Sends an item to the service, waits, and reads all that it is asked for. `at` is the place of the item in its part. */
export async function recordItem(
  { client, statisticsAddress = "" }: ServiceProcess,
  item: Item,
  at: number,
  { prefix, documents, answers }: RecordOptions,
): Promise<Line[]> {
  const lines: Line[] = [];
  const title = item.key;
  if (item.text !== undefined)
    await check(await client.json("POST", "/v1/checks", { query_text: item.text, title }));
  else if (item.file !== undefined) {
    const file = { name: basename(item.file), content: await readFile(item.file) };
    await check(await client.upload("/v1/checks/upload", file, { title }));
  } else if (item.comparison !== undefined)
    await add("", await readAnswer(await client.json("POST", "/v1/comparisons", item.comparison)));
  else if (item.batch !== undefined) await batch(await client.json("POST", "/v1/batches", item.batch));
  else {
    const address = item.key === "engine" ? client.base : statisticsAddress;
    await add("", await readAnswer(await fetch(`${address}/openapi.json`)));
  }
  return lines;

  async function check(response: Response): Promise<void> {
    if (response.status !== 202) return void (await add("", await readAnswer(response)));
    const base = `/v1/checks/${Submitted.parse(await response.json()).check_id}`;
    await get(`${base}/progress`);
    const names = await add("", await get(`${base}/report`));
    if (at % VARIED_EVERY !== 0) return;
    for (const variant of VARIANTS) await add(` ${variant}`, await get(`${base}/${variant}`), names);
  }

  async function batch(response: Response): Promise<void> {
    const base = `/v1/batches/${SubmittedBatch.parse(await response.json()).batch_id}`;
    await get(`${base}/progress`);
    const names = await add("", await get(`${base}?limit=1000`));
    for (const part of BATCH_PARTS) await add(` ${part}`, await get(`${base}/${part}`), names);
    const report = await get(`${base}/report?limit=${PAIRS}`);
    for (const { a, b } of Report.parse(parsed(report)).pairs)
      await add(` ${a.name} ${b.name}`, await get(`${base}/pairs/${a.member_id}/${b.member_id}`), names);
    for (const { name, check_id } of Batch.parse(parsed(await get(`${base}?limit=1000`))).members)
      await add(` ${name}`, await get(`/v1/checks/${check_id}/report`), names);
  }

  async function get(path: string): Promise<Answer> {
    return readAnswer(await client.request(path));
  }

  /** @returns the names that are known after this answer. */
  async function add(suffix: string, answer: Answer, known: Names = documents): Promise<Names> {
    const key = prefix + item.key + suffix;
    const names = namesIn(parsed(answer), known);
    const value = canonical(parsed(answer), names, [client.base, statisticsAddress]);
    lines.push(lineOf(key, answer, value));
    if (answers !== undefined) {
      await mkdir(answers, { recursive: true });
      await writeFile(join(answers, encodeURIComponent(key)), printed(value));
    }
    return names;
  }
}

function parsed({ type, body }: Answer): unknown {
  return /\bjson\b/.test(type) ? JSON.parse(body) : body;
}
