import { useState } from "preact/hooks";
import type { Report } from "../../../client/index.ts";
import { DISGUISE_ADVICE, flagCount } from "../../../reports/wording.ts";
import { Button, SmallButton } from "../shared/elements.tsx";
import { count, counted } from "../shared/wording.ts";
import { VisibleSigns } from "./segment-view.tsx";

/** The list shows this many places at first, because the text and the printed page show all of them. */
const SHOWN_FIRST = 5;

const EXCERPT_CHARS = 60;

type IntegrityNotesProps = { readonly report: Report; readonly onPlace: (offset: number) => void };

/** Lists the places that may hide a copy, with invisible characters made visible. Each links into the text. */
export function IntegrityNotes({ report, onPlace }: IntegrityNotesProps) {
  const { integrity_flags: flags, query_text: text } = report;
  const [showsAll, setShowsAll] = useState(false);
  if (flags.length === 0) return null;
  const kinds = Map.groupBy(flags, ({ kind }) => kind);
  const isCut = !showsAll && flags.length > SHOWN_FIRST;
  return (
    <section class="notice warn integrity" aria-labelledby="integrity-title">
      <h2 id="integrity-title" class="notice-title">
        Signs of disguised text
      </h2>
      <p>
        {[...kinds].map(([kind, all]) => flagCount(kind, all.length, count)).join(", ")}. {DISGUISE_ADVICE}
      </p>
      <ul>
        {flags.map((flag, index) => {
          const end = Math.min(flag.end, flag.start + EXCERPT_CHARS);
          return (
            <li
              key={`${flag.start}-${flag.kind}`}
              class={isCut && index >= SHOWN_FIRST ? "beyond" : undefined}
            >
              <Button class="place" onClick={() => onPlace(flag.start)}>
                <bdi>
                  <VisibleSigns text={text.slice(flag.start, end)} flags={[flag]} />
                  {end < flag.end && "…"}
                </bdi>
              </Button>{" "}
              {flag.detail}
            </li>
          );
        })}
      </ul>
      {isCut && (
        <SmallButton onClick={() => setShowsAll(true)}>Show all {counted(flags.length, "place")}</SmallButton>
      )}
    </section>
  );
}
