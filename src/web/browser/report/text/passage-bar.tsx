import { colourOf } from "../../../../reports/source-colours.ts";
import { count, counted } from "../../shared/wording/numbers.ts";
import type { NumberedSource, PlacedPassage } from "../model/passages.ts";

/** The bar above the text that stays in view: which passage is looked at, the next and previous one, and the keys. */
export function PassageBar({
  steps,
  chosen,
  source,
  onStep,
  onAll,
  onKeys,
}: {
  readonly steps: readonly PlacedPassage[];
  readonly chosen: PlacedPassage | undefined;
  /** The source that is looked at alone. */
  readonly source: NumberedSource | undefined;
  readonly onStep: (direction: 1 | -1) => void;
  readonly onAll: () => void;
  readonly onKeys: () => void;
}) {
  const at = chosen === undefined ? -1 : steps.indexOf(chosen);
  return (
    <div class="passage-bar">
      <p role="status">
        {at < 0 ? counted(steps.length, "passage") : `Passage ${count(at + 1)} of ${count(steps.length)}`}
        {source !== undefined && (
          <>
            {" "}
            of <span class={`number-box c${colourOf(source.number)}`}>{source.number}</span>
          </>
        )}
      </p>
      {source !== undefined && (
        <button type="button" class="small" onClick={onAll}>
          All sources
        </button>
      )}
      <span class="steps">
        <button type="button" class="small" disabled={steps.length === 0} onClick={() => onStep(-1)}>
          <span aria-hidden="true">↑</span> <span class="word">Previous</span>
        </button>
        <button type="button" class="small" disabled={steps.length === 0} onClick={() => onStep(1)}>
          <span aria-hidden="true">↓</span> <span class="word">Next</span>
        </button>
        <button type="button" class="small" onClick={onKeys}>
          Keys
        </button>
      </span>
    </div>
  );
}
