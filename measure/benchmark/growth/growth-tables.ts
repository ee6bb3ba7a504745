import { textTable } from "../../../src/platform/terminal/terminal-text.ts";
import { STAGES } from "./check-latency.ts";
import type { EncodingFigures } from "./encode-corpus.ts";
import type { EncodingBeside } from "./encoding-beside.ts";
import type { StepFigures } from "./growth-benchmark.ts";
import type { MeaningRecall } from "./meaning-recall.ts";
import type { ServiceFigures } from "./measure-size.ts";

/** The figures of one size as lines for people. */
export function growthTables(figures: StepFigures): string[] {
  const { chunks, words, meaning, encoded, storedByWords } = figures;
  const throughputCells = ({ throughputs }: ServiceFigures) =>
    throughputs.map(({ checksPerMinute }) => checksPerMinute.toFixed(0));
  return [
    "",
    `${chunks.toLocaleString("en")} chunks`,
    ...textTable(ingestRows(figures)),
    "",
    "by words alone",
    ...textTable(latencyRows(words)),
    ...(meaning === undefined ? [] : ["with meaning", ...textTable(latencyRows(meaning, words))]),
    "",
    ...textTable([
      ["clients at once", ...words.throughputs.map(({ clients }) => String(clients))],
      ["checks a minute by words alone", ...throughputCells(words)],
      ...(meaning === undefined ? [] : [["with meaning", ...throughputCells(meaning)]]),
    ]),
    "",
    `memory of the service at its peak, by words alone: ${words.peakMemoryMb.toFixed(0)} MB`,
    ...(meaning === undefined ? [] : [`with its encoder: ${meaning.peakMemoryMb.toFixed(0)} MB`, ""]),
    ...(encoded && meaning ? textTable(meaningRows(encoded.articles, meaning.encoding, storedByWords)) : []),
    ...(encoded === undefined ? [] : ["", ...textTable(recallRows(encoded.recall))]),
  ];
}

function meaningRows(
  { sentences, perSecond, perCoreSecond }: EncodingFigures,
  encoding: EncodingBeside,
  storedByWords: StepFigures["storedByWords"],
): string[][] {
  const byWords = storedByWords?.find(({ unit }) => unit === "times");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return [
    [`sentences encoded a second, of ${sentences}`, perSecond.toFixed(0)],
    ["and for each second of a core", perCoreSecond?.toFixed(0) ?? "unknown"],
    ["1,500 words matchable by words after", seconds(encoding.matchableByWordsMs)],
    ["and by meaning after", seconds(encoding.matchableByMeaningMs)],
    ["checks of 1,500 words, ms", encoding.idleMs.toFixed(0)],
    ["while documents are encoded, ms", encoding.besideMs.toFixed(0)],
    ["both stores / plain text before encoding", byWords?.value.toFixed(2) ?? "unknown"],
  ];
}

function recallRows(recall: readonly MeaningRecall[]): string[][] {
  const share = (value: number) => value.toFixed(2);
  return [
    ["source found by meaning", "paragraphs", "in 50", "in 100", "reported"],
    ...recall.map(({ kind, paragraphs, among50, among100, reported }) => [
      kind,
      String(paragraphs),
      share(among50),
      share(among100),
      share(reported),
    ]),
  ];
}

function ingestRows({ ingest, bare, stored }: StepFigures): string[][] {
  const rows = stored.map(({ name, value, unit }) => [name, `${value.toFixed(2)} ${unit}`]);
  if (ingest === undefined) return rows;
  const rate = ingest.chunks / ingest.wallSeconds;
  rows.push(
    ["ingested by the command", `${ingest.chunks} chunks in ${ingest.wallSeconds.toFixed(1)} s`],
    ["chunks a second", rate.toFixed(0)],
    ["its memory with all processes, peak", `${ingest.peakMb.toFixed(0)} MB`],
  );
  if (bare !== undefined) {
    const bareRate = bare.chunks / bare.seconds;
    rows.push(
      [`_bulk alone, ${bare.chunks} of them, chunks a second`, bareRate.toFixed(0)],
      ["rate against _bulk alone", `${((100 * rate) / bareRate).toFixed(0)}%`],
    );
  }
  return rows;
}

/** @param compared the figures that the medians are divided by; the searches of the service are shown only without them */
function latencyRows({ latencies }: ServiceFigures, compared?: ServiceFigures): string[][] {
  const ms = (value: number) => value.toFixed(0);
  return [
    [
      "words",
      "checks",
      "median ms",
      "slowest",
      ...(compared === undefined ? [] : ["times"]),
      ...STAGES,
      ...(compared === undefined ? ["_msearch", "times floor"] : []),
      "recall",
      "beside",
      "partial",
    ],
    ...latencies.map((figures, at) => {
      const { words, checks, medianMs, slowestMs, stages, floorMs, recallPct, besidePct, partial } = figures;
      const other = compared?.latencies[at];
      return [
        String(words),
        String(checks),
        ms(medianMs),
        ms(slowestMs),
        ...(other === undefined ? [] : [(medianMs / other.medianMs).toFixed(2)]),
        ...STAGES.map((stage) => ms(stages[stage])),
        ...(other === undefined ? [ms(floorMs), (medianMs / (floorMs + stages.aligning)).toFixed(2)] : []),
        `${recallPct.toFixed(1)}%`,
        `${besidePct.toFixed(2)}%`,
        String(partial),
      ];
    }),
  ];
}
