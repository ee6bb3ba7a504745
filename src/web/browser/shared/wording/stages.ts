import type { Check, ProgressEvent } from "../../../../client/index.ts";

export type Stage = NonNullable<Check["stage"]>;

/** What a check does, in its order, as a reader would say it. */
export const STAGES = [
  { stage: "chunking", label: "Reading the text" },
  { stage: "fingerprinting", label: "Taking fingerprints" },
  { stage: "retrieving", label: "Searching the corpus" },
  { stage: "aligning", label: "Comparing with what was found" },
  { stage: "assembling", label: "Writing the report" },
] as const satisfies readonly { stage: Stage; label: string }[];

/** How far the bar is at the start of each stage: searching takes most of the time and is the one that can be counted. */
const BEGINS: Readonly<Record<Stage, number>> = {
  chunking: 0.02,
  fingerprinting: 0.06,
  retrieving: 0.1,
  aligning: 0.8,
  assembling: 0.96,
};

/** The part of a check that is done, from 0 to 1. It never falls as the check goes on. */
export function fractionDone({ stage, chunks_done: done, chunks_total: total }: ProgressEvent): number {
  if (stage === null) return 0;
  if (stage !== "retrieving" || total === 0) return BEGINS[stage];
  return BEGINS.retrieving + (BEGINS.aligning - BEGINS.retrieving) * Math.min(1, done / total);
}

/** What a check is doing, in words; one without a stage waits for a worker. */
export function stageLabel(stage: Stage | null): string {
  return STAGES.find((one) => one.stage === stage)?.label ?? "Waiting for its turn";
}

/** How much of the text the corpus was searched for; undefined before there is anything to count. */
export function searchedParts({ stage, chunks_done, chunks_total }: ProgressEvent): string | undefined {
  if (stage !== "retrieving" || chunks_total === 0) return undefined;
  return `${chunks_done} of ${chunks_total} parts searched`;
}
