import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { say } from "./texts.ts";
import type { Selection } from "./use-list.ts";

/** An order that a list offers. The first one of a list is its default. */
type Order<S extends string> = {
  readonly sort: S;
  readonly order: "asc" | "desc";
  readonly label: string;
};

/** The order in an address, otherwise the default. */
export function orderIn<S extends string>(
  orders: readonly [Order<S>, ...Order<S>[]],
  query: URLSearchParams,
): { readonly sort: S; readonly order: "asc" | "desc" } {
  const { sort, order } =
    orders.find((one) => one.sort === query.get("sort") && one.order === query.get("order")) ?? orders[0];
  return { sort, order };
}

type OrderFieldProps = {
  readonly orders: readonly [Order<string>, ...Order<string>[]];
  readonly selected: Selection;
  readonly onSelect: (values: Readonly<Record<string, string>>) => void;
};

/** A choice of the order of a list. */
export function OrderField({ orders, selected, onSelect }: OrderFieldProps) {
  const options = orders.map(({ sort, order, label }) => ({ value: `${sort} ${order}`, label }));
  const choose = (value: string) => {
    const [sort = "", order = ""] = value === options[0]?.value ? [] : value.split(" ");
    onSelect({ sort, order });
  };
  return (
    <Choice
      label={say("list.order")}
      options={options}
      value={`${selected.sort} ${selected.order}`}
      onChange={choose}
    />
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** One of a few values. */
export function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <Control label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Control>
  );
}

type PercentFieldProps = {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (value: string) => void;
};

/** A bound in percent, empty for none. The browser says why a value is refused. */
export function PercentField({ label, value, onChange }: PercentFieldProps) {
  return (
    <Control label={label}>
      {(id) => (
        <input
          // Follows the address; while somebody types, the address stays as it is.
          key={value}
          id={id}
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          defaultValue={value === undefined ? "" : String(value)}
          onChange={({ currentTarget: field }) => field.reportValidity() && onChange(field.value)}
        />
      )}
    </Control>
  );
}

/** A bound in percent in an address; undefined for anything else. */
export function percentIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^\d{1,3}(\.\d{1,15})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
}

type ControlProps = { readonly label: string; readonly children: (id: string) => ComponentChildren };

function Control({ label, children }: ControlProps) {
  const id = useId();
  return (
    <div class="list-control">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}
