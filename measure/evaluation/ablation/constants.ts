import { ALIGNMENT } from "../../../src/matching/words/model.ts";
import type { Ablation } from "./measure-model.ts";

const FACTORS = [0.8, 1.25] as const;

/** Longer arrays are tables that were estimated as a whole; a weight scales them. */
const ARRAY_LENGTH_MAX = 3;

/** The numbers of the model, each once a fifth smaller and once a quarter larger. */
export function constantAblations(): Ablation[] {
  return numbersIn(ALIGNMENT, []).flatMap(({ path, value }) =>
    FACTORS.map((factor) => {
      const changed = scaled(value, factor);
      return {
        name: `${path.join(".")} ${value} → ${changed}`,
        change: (model) => setNumber(model, path, changed),
      };
    }),
  );
}

type PlacedNumber = { readonly path: readonly string[]; readonly value: number };

/** The numbers of an object and of the objects in it, but 0. */
function numbersIn(values: object, path: readonly string[]): PlacedNumber[] {
  if (Array.isArray(values) && values.length > ARRAY_LENGTH_MAX) return [];
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === "number") return value === 0 ? [] : [{ path: [...path, key], value }];
    return typeof value === "object" && value !== null ? numbersIn(value, [...path, key]) : [];
  });
}

function setNumber(values: object, [key = "", ...rest]: readonly string[], value: number): void {
  if (rest.length === 0) Reflect.set(values, key, value);
  else setNumber(Reflect.get(values, key), rest, value);
}

/** Whole numbers change by at least one. */
function scaled(value: number, factor: number): number {
  const product = value * factor;
  if (!Number.isInteger(value)) return Number(product.toPrecision(4));
  const rounded = Math.round(product);
  return rounded === value ? value + Math.sign(product - value) : rounded;
}
