import { MODEL, type Model } from "../../../src/matching/words/model.ts";

/** Constants to change, by group. */
export type ModelChange = { readonly [Group in keyof Model]?: Partial<Model[Group]> };

/** A rule that is switched off, or a constant that is changed. */
export type Ablation = {
  readonly name: string;
  readonly change: ModelChange;
  /** The language in which words are stemmed and common words known; English by default. */
  readonly language?: string;
};

/** The model with some constants changed. */
export function changedModel(change: ModelChange): Model {
  const groups = Object.entries(MODEL).map(([group, constants]) => [
    group,
    { ...constants, ...Object.entries(change).find(([name]) => name === group)?.[1] },
  ]);
  return Object.fromEntries(groups);
}

const NO_PRIORS = { inside: 0, capital: 0, pause: 0, line: 0, paragraph: 0, end: 0 };
const NEVER = Number.POSITIVE_INFINITY;

/** The rules that constants can switch off or replace by the simplest alternative. */
export const RULE_ABLATIONS: readonly Ablation[] = [
  { name: "stemming and the table of common words", change: {}, language: "" },
  {
    name: "boundary priors",
    change: { queryBoundaries: NO_PRIORS, sourceBoundaries: NO_PRIORS },
  },
  { name: "burst of words", change: { chance: { burst: 1 } } },
  { name: "candidates from block seeds", change: { seeds: { scoreMin: NEVER } } },
  {
    name: "wide bags in the first steps",
    change: { seeds: { paddedSteps: 0 } },
  },
  { name: "second use of a source passage", change: { candidate: { doubledShare: NEVER } } },
  { name: "threshold by size", change: { candidate: { perSize: 0 } } },
  { name: "merging", change: { merging: { partPrice: NEVER } } },
  { name: "price of parts", change: { merging: { partPrice: 0 } } },
  { name: "cheaper omissions", change: { merging: { omission: NEVER } } },
  { name: "extension", change: { extension: { kept: 0.999 } } },
  { name: "omitted tail of the source", change: { extension: { tail: 0 } } },
  { name: "decision: shared subject", change: { decision: { topic: 0 } } },
  { name: "decision: found words", change: { decision: { found: 0, bias: MODEL.decision.bias + 6 } } },
  { name: "decision: repeated phrases", change: { decision: { repeated: 0 } } },
  { name: "decision: unequal lengths", change: { decision: { lopsided: 0 } } },
  { name: "decision: names", change: { decision: { namesOnly: 0 } } },
  { name: "decision: number of sources", change: { decision: { perSource: 0 } } },
  { name: "two rare words", change: { decision: { rareWords: 0 } } },
  { name: "copies below the decision score", change: { words: { sentence: NEVER } } },
  { name: "many copies from one source", change: { decision: { otherCopies: NEVER } } },
  { name: "summaries", change: { summary: { bias: -NEVER } } },
  { name: "summaries: usual length", change: { summary: { shift: 0 } } },
  { name: "summaries: long sources", change: { summary: { long: 0 } } },
  { name: "summaries: words found elsewhere in the source", change: { summary: { elsewhere: 0 } } },
  { name: "summaries: share inside the local passage", change: { summary: { inside: 0 } } },
  { name: "summaries: density of the local passage", change: { summary: { dense: 0 } } },
];

/** Each constant once a fifth smaller and once a quarter larger; whole numbers change by at least one. */
export function constantAblations(): Ablation[] {
  return Object.entries(MODEL).flatMap(([group, constants]) =>
    Object.entries(constants)
      .filter(([, value]) => value !== 0)
      .flatMap(([name, value]) =>
        [0.8, 1.25].map((factor) => {
          const changed = scaled(value, factor);
          return {
            name: `${group}.${name} ${value} → ${changed}`,
            change: { [group]: { [name]: changed } },
          };
        }),
      ),
  );
}

function scaled(value: number, factor: number): number {
  const product = value * factor;
  if (!Number.isInteger(value)) return Number(product.toPrecision(4));
  const rounded = Math.round(product);
  return rounded === value ? value + Math.sign(product - value) : rounded;
}
