import { percent } from "../shared/wording.ts";
import { LEVELS, levelOf } from "./batch-wording.ts";

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

/** The colours of similarities in all drawings. */
export function LevelKey() {
  return (
    <ul class="level-key" aria-label="Colours by similarity">
      {LEVELS.map(({ label }, at) => (
        <li key={label}>
          <span class={`swatch level-${at + 1}`} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
