import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Texts that may be measured on but are no part of the project; they lie beside it where they were fetched. */
const SHARED = join(ROOT, "..", "shared");

/** The training corpus of PAN 2013's text-alignment task, packed. */
export const PAN13_ARCHIVE = join(SHARED, "data", "pan13", "train.tar.xz");

/** What the task's own baseline detects in it. */
export const PAN13_BASELINE = join(SHARED, "data", "pan13", "baseline-detections.tsv.gz");

/** The program that plants passages of many kinds and lengths in plain texts. */
export const MIXED_REUSE_SCRIPT = join(SHARED, "research", "mixed_reuse.py");

/** What the evaluation unpacks and makes, kept from run to run. */
export const EVALUATION_DIR = join(ROOT, ".data", "evaluation");

export const SAMPLE_CORPUS_DIR = join(ROOT, ".data", "sample-corpus");
