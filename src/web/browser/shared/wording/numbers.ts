/** Numbers as the reader's own language writes them. */

const COUNT = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** A count, as `12,345`. */
export function count(value: number): string {
  return COUNT.format(value);
}

/** A percentage as the API gives it, with its two decimals: `12.30%`. */
export function percent(value: number): string {
  return PERCENT.format(value / 100);
}

/** A count with its noun: `1 document`, `12,345 documents`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const UNITS = ["kB", "MB", "GB"] as const;

/** A size in units of 1,024, as most systems show those of files: `812 kB`, `9.5 MB`. */
export function bytes(value: number): string {
  if (value < 1024) return counted(value, "byte");
  const power = Math.min(UNITS.length, Math.floor(Math.log2(value) / 10));
  const shown = value / 1024 ** power;
  const digits = new Intl.NumberFormat(undefined, { maximumFractionDigits: shown < 10 ? 1 : 0 });
  return `${digits.format(shown)} ${UNITS[power - 1]}`;
}
