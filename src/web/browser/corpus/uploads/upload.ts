import type { CorpusDocument } from "../../../../client/index.ts";
import { counted } from "../../shared/wording/numbers.ts";

/** A file on its way into the corpus. */
export type Upload = {
  /** Of this page, counted from 1. */
  readonly id: number;
  readonly file: File;
  readonly language: string;
  readonly state: UploadState;
};

export type UploadState =
  | { readonly step: "waiting" }
  | { readonly step: "sending"; readonly fraction: number }
  /** All of it is sent, and the service reads it. */
  | { readonly step: "reading" }
  | { readonly step: "fingerprinting"; readonly document: CorpusDocument; readonly isNew: boolean }
  | { readonly step: "ready"; readonly document: CorpusDocument; readonly isNew: boolean }
  | { readonly step: "failed"; readonly fault: string; readonly passes: boolean };

/** The state of a file that the service has taken. */
export function takenState(document: CorpusDocument, isNew: boolean): UploadState {
  const step = document.fingerprint_status === "fingerprinted" ? "ready" : "fingerprinting";
  return { step, document, isNew };
}

/** Where an upload is, in words. */
export function stateLabel(state: UploadState): string {
  switch (state.step) {
    case "waiting":
      return "Waiting";
    case "sending":
      return `Sending, ${Math.floor(state.fraction * 100)}%`;
    case "reading":
      return "Reading the text";
    case "fingerprinting":
      return "Taking fingerprints";
    case "ready":
      return state.isNew ? "Ready" : "Was in the corpus already";
    case "failed":
      return "Not added";
  }
}

/** How far it is as a bar, from 0 to 1; undefined where that can't be told. */
export function stateFraction(state: UploadState): number | undefined {
  if (state.step === "waiting") return 0;
  return state.step === "sending" ? state.fraction : undefined;
}

export function isUnderWay({ state: { step } }: Upload): boolean {
  return step !== "ready" && step !== "failed";
}

/** All uploads in one sentence, as `2 of 5 files ready, 1 not added`. */
export function uploadsSummary(uploads: readonly Upload[]): string {
  const ready = uploads.filter(({ state }) => state.step === "ready").length;
  const failed = uploads.filter(({ state }) => state.step === "failed").length;
  const rest = failed === 0 ? "" : `, ${failed} not added`;
  return `${ready} of ${counted(uploads.length, "file")} ready${rest}`;
}
