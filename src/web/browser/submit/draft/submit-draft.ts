import { createEngineClient } from "../../../../client/index.ts";
import { engine } from "../../shared/engine.ts";
import { fetchWithProgress } from "../../shared/fetch-with-progress.ts";
import type { Draft } from "./draft.ts";

/** Submits a draft, or the file in its place, and gives the check's identifier. The same draft twice is one check. */
export async function submitDraft(
  { text, title, language, key }: Draft,
  file: File | undefined,
  onSent: (fraction: number) => void,
): Promise<string> {
  const name = title.trim();
  const fields = { ...(name !== "" && { title: name }), ...(language !== "" && { language }) };
  const options = { idempotencyKey: key };
  const submitted =
    file === undefined
      ? await engine.submitCheck({ query_text: text, ...fields }, options)
      : await createEngineClient({ fetch: fetchWithProgress({ onSent }) }).submitUpload(
          file,
          fields,
          options,
        );
  return submitted.check_id;
}
