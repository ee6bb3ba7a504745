import type { CorpusDocument, EngineClient } from "../../../client/index.ts";
import { say, sayCount } from "../shared/texts.ts";
import { count, wholePercent } from "../shared/wording.ts";

export type Upload = {
  /** Unique on this page, from 1. */
  readonly id: number;
  readonly file: File;
  readonly language: string;
  /** Empty for none. */
  readonly collection: string;
  readonly state: UploadState;
};

export type UploadState =
  | { readonly step: "waiting" }
  | { readonly step: "sending"; readonly fraction: number }
  /** Sent completely; the service extracts the text. */
  | { readonly step: "reading" }
  | { readonly step: "fingerprinting"; readonly document: CorpusDocument; readonly isNew: boolean }
  | { readonly step: "ready"; readonly document: CorpusDocument; readonly isNew: boolean }
  | { readonly step: "failed"; readonly fault: string; readonly isTemporary: boolean };

/** The state of a file that the service has accepted. */
export function acceptedState(document: CorpusDocument, isNew: boolean): UploadState {
  const step = document.fingerprint_status === "fingerprinted" ? "ready" : "fingerprinting";
  return { step, document, isNew };
}

export function stateLabel(state: UploadState): string {
  if (state.step === "sending")
    return say("upload.sending", { pct: wholePercent(Math.floor(state.fraction * 100)) });
  if (state.step === "ready") return say(state.isNew ? "upload.ready" : "upload.already");
  return say(STEP_LABELS[state.step]);
}

const STEP_LABELS = {
  waiting: "checks.waiting",
  reading: "submit.extracting",
  fingerprinting: "corpus.indexing",
  failed: "upload.notAdded",
} as const;

/** Progress from 0 to 1; undefined where it is unknown. */
export function stateFraction(state: UploadState): number | undefined {
  if (state.step === "waiting") return 0;
  return state.step === "sending" ? state.fraction : undefined;
}

export function isInProgress({ state: { step } }: Upload): boolean {
  return step !== "ready" && step !== "failed";
}

/** All uploads in one sentence: `2 of 5 files ready, 1 not added`. */
export function uploadsSummary(uploads: readonly Upload[]): string {
  const ready = uploads.filter(({ state }) => state.step === "ready").length;
  const failed = uploads.filter(({ state }) => state.step === "failed").length;
  const summary = sayCount("upload.summary", uploads.length, { ready: count(ready) });
  return failed === 0 ? summary : say("upload.summaryFailed", { summary, failed: count(failed) });
}

/** The engine's limit on rows per request. */
const ROWS_MAX = 100;

/** The current rows of documents, from the list, as a single document comes with its text; deleted ones are missing. */
export async function findDocuments(
  client: Pick<EngineClient, "listDocuments">,
  ids: ReadonlySet<string>,
): Promise<Map<string, CorpusDocument>> {
  const found = new Map<string, CorpusDocument>();
  for (let offset = 0; found.size < ids.size; offset += ROWS_MAX) {
    const { items, total } = await client.listDocuments({ limit: ROWS_MAX, offset });
    for (const document of items)
      if (ids.has(document.document_id)) found.set(document.document_id, document);
    if (offset + ROWS_MAX >= total) break;
  }
  return found;
}
