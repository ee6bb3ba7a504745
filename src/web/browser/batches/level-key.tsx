import { LEVELS } from "./levels.ts";

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
