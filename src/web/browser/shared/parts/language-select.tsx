import { useMemo } from "preact/hooks";
import { languageName, namedLanguages } from "../wording/languages.ts";
import type { FieldIds } from "./field.tsx";

/** The engine's own default. */
const LANGUAGE_DEFAULT = "en";

/** A choice among the languages that the engine knows; empty for its default. */
export function LanguageSelect({
  ids,
  value,
  onChange,
}: {
  readonly ids: FieldIds;
  readonly value: string;
  readonly onChange: (code: string) => void;
}) {
  const languages = useMemo(namedLanguages, []);
  return (
    <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">Not given ({languageName(LANGUAGE_DEFAULT)})</option>
      {languages.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
