import { matchTypeLabel } from "../../../../reports/wording.ts";
import { Field } from "../../shared/parts/field.tsx";
import {
  changedFilters,
  type Filters,
  isFiltered,
  MATCH_TYPES,
  type MatchType,
  MIN_WORDS_MAX,
} from "../model/report-address.ts";

/** What is left out of the report; each change is asked of the service at once. */
export function FilterForm({
  filters,
  onFilters,
}: {
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
}) {
  const change = (changes: Filters) => onFilters(changedFilters(filters, changes));
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Tick
        label="Leave out quotations"
        isSet={filters.exclude_quotes === true}
        onSet={(isSet) => change({ exclude_quotes: isSet })}
      />
      <Tick
        label="Leave out lists of references"
        isSet={filters.exclude_bibliography === true}
        onSet={(isSet) => change({ exclude_bibliography: isSet })}
      />
      <Field label="Shortest passage, in words">
        {(ids) => (
          <input
            {...ids}
            type="number"
            inputMode="numeric"
            min={0}
            max={MIN_WORDS_MAX}
            placeholder="any"
            value={filters.min_words ?? ""}
            onChange={({ currentTarget: field }) => {
              if (field.validity.valid)
                change({ min_words: field.value === "" ? undefined : field.valueAsNumber });
            }}
          />
        )}
      </Field>
      <MatchTypes filters={filters} onTypes={(match_types) => change({ match_types })} />
      {isFiltered(filters) && (
        <p class="hint">Matches that a filter left out are grey and dotted in the text, and do not count.</p>
      )}
      <button type="button" class="small" disabled={!isFiltered(filters)} onClick={() => onFilters({})}>
        Clear filters
      </button>
    </form>
  );
}

/** Each kind with the line that its passages have in the text. The last one that is kept can't be left out. */
function MatchTypes({
  filters,
  onTypes,
}: {
  readonly filters: Filters;
  readonly onTypes: (types: readonly MatchType[]) => void;
}) {
  const kept: readonly MatchType[] = filters.match_types ?? MATCH_TYPES;
  return (
    <fieldset>
      <legend>Kinds of match</legend>
      {MATCH_TYPES.map((type) => (
        <Tick
          key={type}
          label={<span class={`kind t-${type}`}>{matchTypeLabel(type)}</span>}
          isSet={kept.includes(type)}
          isFixed={kept.length === 1 && kept.includes(type)}
          onSet={(isSet) => onTypes(MATCH_TYPES.filter((one) => (one === type ? isSet : kept.includes(one))))}
        />
      ))}
    </fieldset>
  );
}

function Tick({
  label,
  isSet,
  isFixed = false,
  onSet,
}: {
  readonly label: preact.ComponentChild;
  readonly isSet: boolean;
  readonly isFixed?: boolean;
  readonly onSet: (isSet: boolean) => void;
}) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isSet}
        disabled={isFixed}
        onChange={(event) => onSet(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
