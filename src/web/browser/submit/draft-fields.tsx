import { Field } from "../shared/parts/field.tsx";
import { LanguageSelect } from "../shared/parts/language-select.tsx";
import { TITLE_CHARS_MAX } from "../shared/parts/title-editor.tsx";
import type { Draft } from "./draft/draft.ts";

/** What may be said of a text beside it. */
export function DraftFields({
  initialTitle,
  language,
  onChange,
}: {
  /** What stands in the field at first; from then on the field draws it by itself. */
  readonly initialTitle: string;
  readonly language: string;
  readonly onChange: (change: Partial<Pick<Draft, "title" | "language">>) => void;
}) {
  return (
    <div class="submit-fields">
      <Field label="Title" optional hint="To find the check again.">
        {(ids) => (
          <input
            {...ids}
            dir="auto"
            autocomplete="off"
            maxLength={TITLE_CHARS_MAX}
            defaultValue={initialTitle}
            onInput={(event) => onChange({ title: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Language" optional hint="It decides how sentences and words are found.">
        {(ids) => (
          <LanguageSelect ids={ids} value={language} onChange={(code) => onChange({ language: code })} />
        )}
      </Field>
    </div>
  );
}
