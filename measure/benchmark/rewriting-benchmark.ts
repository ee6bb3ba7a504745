import type { EngineClient } from "../../test/support/client.ts";
import { readRewrittenTexts } from "../rewritten-paragraphs/read-texts.ts";
import type { Figure } from "./check-benchmark.ts";
import { median, timedCheck } from "./growth/check-latency.ts";

const WARM_UP = 3;
const RUNS = 20;
const WORDS = 1_500;

/** Of each of both kinds, this many paragraphs of each of the five English subjects: ten together. */
const REWRITTEN_OF_A_SUBJECT = 1;

/**
 * Checks of 1,500 English words, from the POST to the `complete` event: paragraphs of authors who had no source, and ten rewritten ones
 * among them, each with its source in the corpus. Both texts are checked by turns, and each check has its paragraphs in another order.
 */
export async function rewrittenChecks(client: EngineClient): Promise<Figure[]> {
  const { queries, sources } = await readRewrittenTexts();
  const loaded: string[] = [];
  for (const { name, text } of sources)
    loaded.push((await client.addDocument(`rewriting-benchmark-${name}`, text)).document_id);
  await client.encoded(loaded);
  const written = queries.flatMap(({ queryName, text, paragraphs }) => {
    const letters = [...text];
    return paragraphs.map(({ kind, span }) => ({
      subject: queryName.slice(0, "en-1".length),
      kind,
      text: letters.slice(span.start, span.end).join(""),
    }));
  });
  const subjects = [...new Set(written.map(({ subject }) => subject))].filter((one) => one.startsWith("en"));
  const ofKind = (kind: string, count: number) =>
    subjects.flatMap((subject) =>
      written
        .filter((one) => one.subject === subject && one.kind.endsWith(`: ${kind}`))
        .slice(0, count)
        .map(({ text }) => text),
    );
  const own = ofKind("own", Number.POSITIVE_INFINITY);
  const rewritten = ["light", "strong"].flatMap((kind) => ofKind(kind, REWRITTEN_OF_A_SUBJECT));

  const without: number[] = [];
  const withTen: number[] = [];
  let marked = 0;
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const isWarm = run >= WARM_UP;
    const ownText = filledUp([], turned(own, run));
    const mixedText = filledUp(turned(rewritten, run), turned(own, run));
    const first = await timedCheck(client, ownText);
    const second = await timedCheck(client, mixedText);
    if (isWarm) without.push(first.ms);
    if (isWarm) withTen.push(second.ms);
    marked = (await client.report(second.checkId)).overall_similarity_pct;
  }
  return [
    { name: "check of 1,500 words without reuse, median of 20", value: median(without), unit: "ms" },
    { name: "with ten rewritten paragraphs, median of 20", value: median(withTen), unit: "ms" },
    { name: "share of it that is marked", value: marked, unit: "%" },
  ];
}

/** `first` whole, then whole paragraphs of `more` between them until there are 1,500 words; the last one is cut there. */
function filledUp(first: readonly string[], more: readonly string[]): string {
  const paragraphs = [...first];
  let left = WORDS - paragraphs.join(" ").split(/\s+/).filter(Boolean).length;
  for (const [at, paragraph] of more.entries()) {
    if (left <= 0) break;
    const words = paragraph.split(/\s+/).slice(0, left);
    left -= words.length;
    paragraphs.splice(Math.min(2 * at + 1, paragraphs.length), 0, words.join(" "));
  }
  return paragraphs.join("\n\n");
}

/** The same paragraphs, beginning with another one. */
function turned<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
