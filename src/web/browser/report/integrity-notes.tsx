import { useState } from "preact/hooks";
import type { Report } from "../../../client/index.ts";
import { flagCount } from "../../../report/wording.ts";
import { Button, SmallButton } from "../shared/elements.tsx";
import { FoldedNotice } from "../shared/notice.tsx";
import { say, sayCount, texts } from "../shared/texts.ts";
import { VisibleSigns } from "./text-view.tsx";

/** Of each kind, the list shows this many places at first, because the text and the printed page show all of them. */
const SHOWN_FIRST = 5;

const EXCERPT_CHARS = 60;

type Flag = Report["integrity_flags"][number];
type IntegrityNotesProps = { readonly report: Report; readonly onPlace: (offset: number) => void };

/** Summarises in a line the characters that may hide a copy. The places by kind, with invisible characters made visible, link into the text. */
export function IntegrityNotes({ report, onPlace }: IntegrityNotesProps) {
  const { integrity_flags: flags, query_text: text } = report;
  if (flags.length === 0) return null;
  const kinds = [...Map.groupBy(flags, ({ kind }) => kind)];
  return (
    <FoldedNotice
      kind="warn"
      title={say("flag.title")}
      more={kinds.map(([kind, all]) => flagCount(kind, all.length, texts)).join(", ")}
    >
      <p>{say("advice.disguise")}</p>
      {kinds.map(([kind, all]) => (
        <Places
          key={kind}
          title={flagCount(kind, all.length, texts)}
          flags={all}
          text={text}
          onPlace={onPlace}
        />
      ))}
    </FoldedNotice>
  );
}

type PlacesProps = {
  readonly title: string;
  readonly flags: readonly Flag[];
  readonly text: string;
  readonly onPlace: (offset: number) => void;
};

function Places({ title, flags, text, onPlace }: PlacesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const isCut = !showsAll && flags.length > SHOWN_FIRST;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {flags.map((flag, index) => {
          const whole = flag.hidden?.text ?? text.slice(flag.start, flag.end);
          const excerpt = whole.slice(0, EXCERPT_CHARS);
          return (
            <li key={index} class={isCut && index >= SHOWN_FIRST ? "beyond" : undefined}>
              <Button class="place" onClick={() => onPlace(flag.start)}>
                <bdi>
                  <VisibleSigns text={excerpt} flags={[flag]} />
                  {excerpt.length < whole.length && "…"}
                </bdi>
              </Button>{" "}
              {flag.detail}
            </li>
          );
        })}
      </ul>
      {isCut && (
        <SmallButton onClick={() => setShowsAll(true)}>
          {sayCount("count.showPlaces", flags.length)}
        </SmallButton>
      )}
    </>
  );
}
