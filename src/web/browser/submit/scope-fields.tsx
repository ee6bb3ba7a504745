import { Field, SelectField, TextField, TITLE_CHARS_MAX } from "../shared/field.tsx";

const LEAVE_OUT = [
  { value: "", label: "Nothing" },
  { value: "owner", label: "Documents of the same person" },
  { value: "group", label: "Documents of the same group" },
] as const;

/** Whose text it is, and what it is compared with; empty where nothing was entered. */
export type Scope = {
  readonly owner: string;
  readonly group: string;
  readonly leaveOut: (typeof LEAVE_OUT)[number]["value"];
  /** Names with commas between them. */
  readonly collections: string;
  readonly template: string;
};

export const EMPTY_SCOPE: Scope = { owner: "", group: "", leaveOut: "", collections: "", template: "" };

type ScopeFieldsProps = { readonly scope: Scope; readonly onScope: (scope: Scope) => void };

/** Rarely needed fields of a check, folded at first. */
export function ScopeFields({ scope, onScope }: ScopeFieldsProps) {
  const change = (changes: Partial<Scope>) => onScope({ ...scope, ...changes });
  return (
    <details class="submit-more">
      <summary>More options</summary>
      <div class="submit-fields">
        <TextField
          label="Person"
          hint="Whose text it is: a name or a number."
          maxLength={TITLE_CHARS_MAX}
          onText={(owner) => change({ owner })}
        />
        <TextField
          label="Group"
          hint="For example the assignment, or the drafts of one paper."
          maxLength={TITLE_CHARS_MAX}
          onText={(group) => change({ group })}
        />
        <SelectField
          label="Leave out"
          value={scope.leaveOut}
          options={LEAVE_OUT}
          onValue={(leaveOut) => change({ leaveOut })}
        />
        <TextField
          label="Collections"
          hint="Compare with these only: names with commas between them."
          maxLength={4_000}
          onText={(collections) => change({ collections })}
        />
      </div>
      <Field
        label="Text that was handed out"
        optional
        hint="The assignment or a form. Passages from it are not compared."
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            dir="auto"
            onInput={({ currentTarget: { value } }) => change({ template: value })}
          />
        )}
      </Field>
    </details>
  );
}

/** The members of a request beside its text, without empty ones. */
export function scopeMembers(scope: Scope) {
  const [owner, group] = [scope.owner.trim(), scope.group.trim()];
  return {
    ...(owner !== "" && { owner }),
    ...(group !== "" && { group }),
    ...(scope.leaveOut !== "" && { leave_out: scope.leaveOut }),
  };
}

/** Why these fields can't be sent, known before. */
export function scopeFault({ leaveOut, ...scope }: Scope): string | undefined {
  if (leaveOut === "" || scope[leaveOut].trim() !== "") return undefined;
  return leaveOut === "owner"
    ? "Enter the person whose documents are left out."
    : "Enter the group whose documents are left out.";
}

export function collectionNames({ collections }: Scope): string[] {
  return collections.split(",").flatMap((name) => name.trim() || []);
}
