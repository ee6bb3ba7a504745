import { ProgressBar } from "../shared/parts/progress-bar.tsx";
import { submitKeysName } from "./use-submit-keys.ts";

/** The button, and how far a file is on its way. */
export function SubmitRow({
  sent,
  hasFile,
}: {
  readonly sent: number | undefined;
  readonly hasFile: boolean;
}) {
  return (
    <div class="submit-row">
      <button type="submit" class="primary" aria-disabled={sent !== undefined}>
        {sent === undefined ? "Check" : "Sending…"}
      </button>
      {sent !== undefined && hasFile ? (
        <ProgressBar
          value={sent < 1 ? sent : undefined}
          label={sent < 1 ? "Sending the file" : "Reading the file"}
        />
      ) : (
        <span class="hint keys">{submitKeysName()}</span>
      )}
    </div>
  );
}
