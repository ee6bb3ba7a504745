import { useMemo, useState } from "preact/hooks";
import { LANGUAGE_CODES } from "../../../text/languages.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { languageName, say, texts } from "./texts.ts";

type LanguageFieldProps = {
  readonly label: string;
  readonly hint?: string;
  /** Whether the language may be left for the service to detect, which is the empty value. */
  readonly isDetectable?: boolean;
  readonly value: string;
  readonly onChange: (code: string) => void;
};

/**
 * A choice among the engine's languages, the likely ones first. It is the browser's own list, in which typing finds a name and
 * which phones show in their own way.
 */
export function LanguageField({ label, hint, isDetectable = true, value, onChange }: LanguageFieldProps) {
  const groups = useMemo(() => languageGroups(navigator.languages), []);
  return (
    <Field label={label} optional={isDetectable} {...(hint !== undefined && { hint })}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {isDetectable && <option value="">{say("language.detected")}</option>}
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              {group.languages.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

type LanguageGroup = {
  readonly label: string;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
};

/** All languages by name, each in one group. @param readersOwn tags such as `pt-BR`, which belong to the common ones */
function languageGroups(readersOwn: readonly string[]): readonly LanguageGroup[] {
  const common = new Set([...COMMON, ...readersOwn.map((tag) => tag.split("-")[0]?.toLowerCase())]);
  const named = LANGUAGE_CODES.map((code) => ({ code, name: languageName(code) })).toSorted((a, b) =>
    a.name.localeCompare(b.name, texts.locale),
  );
  return [
    { label: say("language.common"), languages: named.filter(({ code }) => common.has(code)) },
    { label: say("language.other"), languages: named.filter(({ code }) => !common.has(code)) },
  ];
}

/** Languages in which much is written at universities. */
const COMMON = "ar de en es fr id it ja ko nl pl pt ru tr uk zh".split(" ");

type LanguageDialogProps = {
  readonly title: string;
  /** The effect of the choice. */
  readonly explanation: string;
  /** The label of the button. */
  readonly action: string;
  /** The present language. */
  readonly language: string;
  readonly onChosen: (language: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks for the language of a text. */
export function LanguageDialog({ explanation, language, onChosen, ...dialog }: LanguageDialogProps) {
  const [chosen, setChosen] = useState(language);
  return (
    <ConfirmDialog kind="primary" onConfirm={() => onChosen(chosen)} {...dialog}>
      <p>{explanation}</p>
      <LanguageField
        label={say("common.language")}
        isDetectable={false}
        value={chosen}
        onChange={setChosen}
      />
    </ConfirmDialog>
  );
}
