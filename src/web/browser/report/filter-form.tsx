import { useEffect, useRef } from "preact/hooks";
import type { Report } from "../../../client/index.ts";
import { MATCH_GROUPS_IN_ORDER, matchGroupsOf, matchTypeLabel } from "../../../report/wording.ts";
import { SmallButton } from "../shared/elements.tsx";
import { Field, Tick } from "../shared/field.tsx";
import { say, texts } from "../shared/texts.ts";
import { count } from "../shared/wording.ts";
import {
  changedFilters,
  type Filters,
  isFiltered,
  MATCH_TYPES,
  type MatchType,
  MIN_WORDS_MAX,
} from "./report-address.ts";

type FilterFormProps = {
  readonly filters: Filters;
  /** Whether translations were looked for. */
  readonly hasTranslations: boolean;
  /** Of the report without filters. */
  readonly groups: Report["match_groups"];
  readonly onFilters: (filters: Filters) => void;
};

/** A pause in typing after which a number is applied. */
const TYPING_PAUSE_MS = 400;

/** The filters of the report. The service applies each change at once. */
export function FilterForm({ filters, hasTranslations, groups, onFilters }: FilterFormProps) {
  const change = (changes: Filters) => onFilters(changedFilters(filters, changes));
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => () => clearTimeout(typing.current), []);
  const types: readonly MatchType[] = filters.match_types ?? MATCH_TYPES;
  return (
    <form class="filters" aria-label={say("report.filters")} onSubmit={(event) => event.preventDefault()}>
      <Tick
        label={say("report.excludeQuotes")}
        isSet={filters.exclude_quotes === true}
        onSet={(exclude_quotes) => change({ exclude_quotes })}
      />
      <Tick
        label={say("report.excludeBibliography")}
        isSet={filters.exclude_bibliography === true}
        onSet={(exclude_bibliography) => change({ exclude_bibliography })}
      />
      <Field label={say("report.minWords")}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            inputMode="numeric"
            min={0}
            max={MIN_WORDS_MAX}
            placeholder={say("report.any")}
            value={filters.min_words ?? ""}
            onInput={({ currentTarget: field }) => {
              clearTimeout(typing.current);
              typing.current = setTimeout(() => {
                if (field.validity.valid)
                  latest.current({ min_words: field.value === "" ? undefined : field.valueAsNumber });
              }, TYPING_PAUSE_MS);
            }}
          />
        )}
      </Field>
      <fieldset>
        <legend>{say("report.matchTypes")}</legend>
        {MATCH_TYPES.map((type) => (
          <Tick
            key={type}
            label={
              <>
                <span class={`kind t-${type}`}>{matchTypeLabel(type, texts)}</span>{" "}
                {!hasTranslations && type === "paraphrased" && (
                  <span class="hint">{say("report.closeOnly")}</span>
                )}
                {!hasTranslations && type === "translated" && (
                  <span class="hint">{say("report.notLookedFor")}</span>
                )}
              </>
            }
            isSet={types.includes(type)}
            // The last type can't be excluded: nothing would be left to report.
            isFixed={types.length === 1 && types.includes(type)}
            onSet={(isSet) =>
              change({
                match_types: MATCH_TYPES.filter((one) => (one === type ? isSet : types.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      {groups !== undefined && <GroupTicks groups={groups} filters={filters} onFilters={change} />}
      {isFiltered(filters) && <p class="hint">{say("report.greyOutline")}</p>}
      <SmallButton disabled={!isFiltered(filters)} onClick={() => onFilters({})}>
        {say("common.clearFilters")}
      </SmallButton>
    </form>
  );
}

type GroupTicksProps = Pick<FilterFormProps, "filters" | "onFilters"> & {
  readonly groups: NonNullable<Report["match_groups"]>;
};

/** The groups that occur, with their passages. */
function GroupTicks({ groups, filters, onFilters }: GroupTicksProps) {
  const wanted: readonly string[] = filters.match_groups ?? MATCH_GROUPS_IN_ORDER;
  const shown = matchGroupsOf({ match_groups: groups });
  const set = shown.filter(({ group }) => wanted.includes(group));
  return (
    <fieldset>
      <legend>{say("group.title")}</legend>
      {shown.map(({ group, passages }) => (
        <Tick
          key={group}
          label={
            <>
              {say(`group.${group}`)} <span class="hint">{count(passages)}</span>
            </>
          }
          isSet={wanted.includes(group)}
          // The last group can't be excluded: nothing would be left to report.
          isFixed={set.length === 1 && set[0]?.group === group}
          onSet={(isSet) =>
            onFilters({
              match_groups: MATCH_GROUPS_IN_ORDER.filter((one) =>
                one === group ? isSet : wanted.includes(one),
              ),
            })
          }
        />
      ))}
    </fieldset>
  );
}
