import { fileFault } from "../shared/file-limits.ts";
import { bytes } from "../shared/wording/numbers.ts";

/** The file that is to be checked in place of a text, with what speaks against it. */
export function ChosenFile({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  const fault = fileFault(file);
  return (
    <div class="chosen-file">
      <p class="chosen-name">
        <bdi>{file.name}</bdi>
      </p>
      <p class="quiet">{bytes(file.size)}</p>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="button" onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}
