import type { Report } from "../../../client/index.ts";
import { reuseKinds } from "../../../report/wording.ts";
import { counted, percent } from "../shared/wording.ts";

/** How much was reused in which way: a bar as long as the text, and the same in words. */
export function Kinds({ report }: { readonly report: Pick<Report, "match_types"> }) {
  const kinds = reuseKinds(report);
  if (kinds.length === 0) return null;
  return (
    <>
      <div class="kind-bar" aria-hidden="true">
        {kinds.map(({ type, pct }) => (
          <span key={type} class={`k-${type}`} style={{ width: `${pct}%` }} />
        ))}
      </div>
      <ul class="kinds">
        {kinds.map(({ type, label, chars, pct }) => (
          <li key={type}>
            <span class={`kind-sign k-${type}`} aria-hidden="true" />
            {label} <strong>{percent(pct)}</strong> <span class="quiet">({counted(chars, "character")})</span>
          </li>
        ))}
      </ul>
    </>
  );
}
