import { Field, SelectField, TextField, TITLE_CHARS_MAX } from "../shared/field.tsx";
import { say } from "../shared/texts.ts";

const LEAVE_OUT = [
  { value: "", label: say("submit.leaveNothing") },
  { value: "owner", label: say("submit.leaveOwner") },
  { value: "group", label: say("submit.leaveGroup") },
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
      <summary>{say("submit.more")}</summary>
      <div class="submit-fields">
        <TextField
          label={say("submit.person")}
          hint={say("submit.personHint")}
          maxLength={TITLE_CHARS_MAX}
          onText={(owner) => change({ owner })}
        />
        <TextField
          label={say("submit.group")}
          hint={say("submit.groupHint")}
          maxLength={TITLE_CHARS_MAX}
          onText={(group) => change({ group })}
        />
        <SelectField
          label={say("submit.leaveOut")}
          value={scope.leaveOut}
          options={LEAVE_OUT}
          onValue={(leaveOut) => change({ leaveOut })}
        />
        <TextField
          label={say("submit.collections")}
          hint={say("submit.collectionsHint")}
          maxLength={4_000}
          onText={(collections) => change({ collections })}
        />
      </div>
      <Field label={say("submit.template")} optional hint={say("submit.templateHint")}>
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
  return say(leaveOut === "owner" ? "submit.enterPerson" : "submit.enterGroup");
}

export function collectionNames({ collections }: Scope): string[] {
  return collections.split(",").flatMap((name) => name.trim() || []);
}
