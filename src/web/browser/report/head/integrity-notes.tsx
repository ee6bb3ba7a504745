import { useState } from "preact/hooks";
import type { IntegrityFlag, Report } from "../../../../client/index.ts";
import { visibleSigns } from "../../../../core/text/visible-signs.ts";
import { flagCount } from "../../../../reports/wording.ts";
import { count, counted } from "../../shared/wording/numbers.ts";
import { SignMark } from "../text/segment-view.tsx";

/** How many places are listed at first: the text shows them all, and so does paper. */
const SHOWN_FIRST = 5;

/** Flags of more than this are cut in the list. */
const EXCERPT_CHARS = 60;

/** What in the text can hide a copy, with what a reader would not see made visible. Each place is a way into the text. */
export function IntegrityNotes({
  report: { integrity_flags: flags, query_text: text },
  onPlace,
}: {
  readonly report: Report;
  readonly onPlace: (offset: number) => void;
}) {
  const [isWhole, setIsWhole] = useState(false);
  if (flags.length === 0) return null;
  const kinds = Map.groupBy(flags, ({ kind }) => kind);
  const isCut = !isWhole && flags.length > SHOWN_FIRST;
  return (
    <section class="notice warn integrity" aria-labelledby="integrity-title">
      <h2 id="integrity-title" class="notice-title">
        Signs of disguised text
      </h2>
      <p>
        {[...kinds].map(([kind, all]) => flagCount(kind, all.length, count)).join(", ")}. Matching sees
        through them. They may also come from a program that made the file.
      </p>
      <ul>
        {flags.map((flag, index) => (
          <li key={`${flag.start}-${flag.kind}`} class={isCut && index >= SHOWN_FIRST ? "beyond" : undefined}>
            <button type="button" class="place" onClick={() => onPlace(flag.start)}>
              <FlaggedText text={text} flag={flag} />
            </button>{" "}
            {flag.detail}
          </li>
        ))}
      </ul>
      {isCut && (
        <button type="button" class="small" onClick={() => setIsWhole(true)}>
          Show all {counted(flags.length, "place")}
        </button>
      )}
    </section>
  );
}

function FlaggedText({ text, flag }: { readonly text: string; readonly flag: IntegrityFlag }) {
  const end = Math.min(flag.end, flag.start + EXCERPT_CHARS);
  return (
    <bdi>
      {visibleSigns(text.slice(flag.start, end), [flag]).map(({ text: piece, code, script }, index) => {
        if (code !== undefined) return <SignMark key={index} text={piece} code={code} />;
        return script === undefined ? (
          piece
        ) : (
          <span key={index} class="stranger">
            {piece}
          </span>
        );
      })}
      {end < flag.end && "…"}
    </bdi>
  );
}
