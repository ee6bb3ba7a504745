import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Texts for measurements that are not part of the repository; they lie in a folder beside it. */
const SHARED = join(ROOT, "..", "shared");

/** The training corpus of PAN 2013's text-alignment task, packed. */
export const PAN13_ARCHIVE = join(SHARED, "data", "pan13", "train.tar.xz");

/** The detections of the task's own baseline. */
export const PAN13_BASELINE = join(SHARED, "data", "pan13", "baseline-detections.tsv.gz");

/** The program that plants passages of many kinds and lengths in texts. */
export const MIXED_REUSE_SCRIPT = join(SHARED, "research", "mixed_reuse.py");

/** Rewritten, translated and independently written paragraphs. */
export const MODERN_DATA = join(SHARED, "data", "modern");

/** Papers that language models wrote or rewrote, with paragraphs taken from others. */
export const GENERATED_DATA = join(SHARED, "data", "generated");

/** The data folder of services that are evaluated: the encoder is fetched into it once. */
export const DATA_DIR = join(ROOT, ".data");

/** Files that the evaluation unpacks and makes, and keeps for the next run. */
export const EVALUATION_DIR = join(DATA_DIR, "evaluation");

export const SAMPLE_CORPUS_DIR = join(DATA_DIR, "sample-corpus");
