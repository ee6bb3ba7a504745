import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ablation, ROOT } from "./measure-sources.ts";

/** The file with all constants of the alignment. */
export const MODEL_FILE = "src/matching/words/model.ts";

const FACTORS = [0.8, 1.25] as const;

/** Longer arrays are tables that were estimated as a whole; a weight scales them. */
const ARRAY_LENGTH_MAX = 3;

/** The constants of the model that were fitted, each once a fifth smaller and once a quarter larger. */
export async function constantAblations(): Promise<Ablation[]> {
  const source = await readFile(join(ROOT, MODEL_FILE), "utf8");
  return constantsIn(source).flatMap(({ name, declaration, start, text }) =>
    FACTORS.map((factor) => {
      const changed = scaled(text, factor);
      const replace = declaration.slice(0, start) + changed + declaration.slice(start + text.length);
      return {
        name: `${name} ${text} → ${changed}`,
        edits: [{ file: MODEL_FILE, find: declaration, replace }],
      };
    }),
  );
}

/** A number in the declaration of a constant; `start` is its offset there. */
type Constant = {
  readonly name: string;
  readonly declaration: string;
  readonly start: number;
  readonly text: string;
};

const DECLARATION = /^(?:export )?const ([A-Z][A-Z\d_]*)(?:: \w+)? = [^;]+;/gm;
const COMMENT = /\/\*\*[\s\S]*?\*\/|\/\/.*/g;
const NUMBER = /(?:(\w+): (?:Math\.exp\()?)?(-?\b\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?: \/ \d+)?)\b/g;

function constantsIn(source: string): Constant[] {
  // Comments become blanks, so that offsets stay the same.
  const bare = source.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, " "));
  return [...bare.matchAll(DECLARATION)].flatMap(({ 0: code, 1: constant = "", index }) => {
    const declaration = source.slice(index, index + code.length);
    const from = code.indexOf(" = ");
    const numbers = [...code.slice(from).matchAll(NUMBER)];
    const isTable = numbers.length > ARRAY_LENGTH_MAX && numbers.every(([, key]) => key === undefined);
    if (isTable) return [];
    return numbers
      .map(([match, key, text = ""], at) => ({
        name:
          key === undefined ? (numbers.length === 1 ? constant : `${constant}[${at}]`) : `${constant}.${key}`,
        declaration,
        start: from + (numbers[at]?.index ?? 0) + match.length - text.length,
        text,
      }))
      .filter(({ name, text }) => Number(text) !== 0 && !NOT_FITTED.has(name));
  });
}

/** Whole numbers change by at least one. */
function scaled(text: string, factor: number): string {
  const [over = "", under = "1"] = text.replaceAll("_", "").split(" / ");
  const value = Number(over) / Number(under);
  const product = value * factor;
  if (!Number.isInteger(value)) return String(Number(product.toPrecision(4)));
  const rounded = Math.round(product);
  return String(rounded === value ? value + Math.sign(product - value) : rounded);
}

/** Bounds of time and memory, and constants that the benchmarks don't measure: classification, boilerplate, other languages. */
export const NOT_FITTED: ReadonlySet<string> = new Set([
  "REMEMBERED_WORDS_MAX",
  "COMMON_SHARE_IN_QUERY_MIN",
  "COMMON_COUNT_MIN",
  "SEEDS_HELD_MAX",
  "BOILERPLATE.spareWordsMax",
  "BOILERPLATE.spareShareMax",
]);
