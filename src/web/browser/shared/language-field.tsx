import { useMemo, useState } from "preact/hooks";
import { languageName } from "../../../text/language-name.ts";
import { LANGUAGE_CODES } from "../../../text/languages.ts";
import { Dialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { Field } from "./field.tsx";
import { ErrorNotice } from "./notice.tsx";

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
          {isDetectable && <option value="">Detected automatically</option>}
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
export function languageGroups(readersOwn: readonly string[]): readonly LanguageGroup[] {
  const common = new Set([...COMMON, ...readersOwn.map((tag) => tag.split("-")[0]?.toLowerCase())]);
  const named = LANGUAGE_CODES.map((code) => ({ code, name: languageName(code) })).toSorted((a, b) =>
    a.name.localeCompare(b.name, "en"),
  );
  return [
    { label: "Common languages", languages: named.filter(({ code }) => common.has(code)) },
    { label: "Other languages", languages: named.filter(({ code }) => !common.has(code)) },
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

/** Asks for the language of a text; an error keeps it open. */
export function LanguageDialog(props: LanguageDialogProps) {
  const { title, explanation, action, language, onChosen, onClose } = props;
  const [chosen, setChosen] = useState(language);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onChosen(chosen);
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{explanation}</p>
      <LanguageField label="Language" isDetectable={false} value={chosen} onChange={setChosen} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button class="primary" disabled={isBusy} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
