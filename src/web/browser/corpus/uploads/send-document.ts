import { createEngineClient } from "../../../../client/index.ts";
import { fetchWithProgress } from "../../shared/fetch-with-progress.ts";
import { fileFault } from "../../shared/file-limits.ts";
import { failureLine, failureOf } from "../../shared/wording/failure.ts";
import { takenState, type Upload, type UploadState } from "./upload.ts";

const CREATED = 201;

/** Operators set the limit of the corpus, and the service's answer says what it is. */
const BYTES_MAX = Number.POSITIVE_INFINITY;

/** Sends one file to the corpus and shows how far it is; what goes wrong with it is the last that is shown. */
export async function sendDocument(
  { file, language }: Upload,
  show: (state: UploadState) => void,
): Promise<void> {
  const fault = fileFault(file, BYTES_MAX);
  if (fault !== undefined) return show({ step: "failed", fault, passes: false });
  let status = 0;
  const onSent = (fraction: number) =>
    show(fraction < 1 ? { step: "sending", fraction } : { step: "reading" });
  const onStatus = (answered: number) => {
    status = answered;
  };
  show({ step: "sending", fraction: 0 });
  try {
    const client = createEngineClient({ fetch: fetchWithProgress({ onSent, onStatus }) });
    const document = await client.uploadDocument(file, language === "" ? {} : { language });
    show(takenState(document, status === CREATED));
  } catch (error) {
    const failure = failureOf(error, navigator.onLine);
    show({ step: "failed", fault: failureLine(failure), passes: failure.passes });
  }
}
