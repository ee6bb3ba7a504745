import { percent } from "../shared/wording.ts";
import { levelOf } from "./levels.ts";

/** A percentage with a bar of its length. */
export function ShareBar({ pct }: { readonly pct: number }) {
  return (
    <span class="share">
      <span class="share-number">{percent(pct)}</span>
      <span class="share-bar" aria-hidden="true">
        <span class={`level-${levelOf(pct)}`} style={{ inlineSize: `${pct}%` }} />
      </span>
    </span>
  );
}
