import type { TermCounts, WeightedTerm } from "../matching/words/search-terms.ts";
import { shingleNumber } from "../text/common-shingles.ts";
import { sampledShingles } from "../text/sampled-shingles.ts";
import { firstIndex } from "../text/span.ts";
import { wordTerm } from "../text/word-terms.ts";

/** A chunk by its number in the index; `score`: the number or the weight of the terms that it shares. */
export type ScoredChunk = { readonly chunk: number; readonly score: number };

/** The chunks that a search may find: those before number `end` that are not excluded. */
type SearchedChunks = { readonly end: number; readonly isExcluded: (chunk: number) => boolean };

/** The chunks with a term, ascending, and the weight of the term. */
type TermChunks = { readonly chunks: Uint32Array; readonly weight: number };

/** Work in steps of a few milliseconds, between which the caller can let others work. */
type Steps<T> = Generator<undefined, T>;

/** Chunks of one step. */
const CHUNKS_OF_STEP = 500;

/**
 * An inverted index of chunks in memory, for sets whose every text is searched for among all others (Bayardo, Ma and Srikant: Scaling
 * up all pairs similarity search, 2007). It gives the same hits as the index in OpenSearch, with the numbers of chunks in place of identifiers.
 * Shingles are compared as 32-bit numbers, so a chunk may be found by a shingle that it does not have.
 */
export class InvertedIndex {
  readonly #words: Dictionary;
  readonly #terms: Dictionary;
  /** The words of all chunks, one chunk after another, and where each chunk ends. */
  readonly #forms: NumberList;
  readonly #formEnds: NumberList;
  readonly #chunksOfTerm: Postings;
  readonly #shingles: ShinglePostings;
  /** The score of each chunk in the current search, in tenths (all 0 between searches), and room for the chunks that it finds. */
  readonly #scores: Uint16Array;
  readonly #found: Uint32Array;

  private constructor(
    { words, terms, forms, formEnds }: IndexedForms,
    chunksOfTerm: Postings,
    shingles: ShinglePostings,
  ) {
    this.#words = words;
    this.#terms = terms;
    this.#forms = forms;
    this.#formEnds = formEnds;
    this.#chunksOfTerm = chunksOfTerm;
    this.#shingles = shingles;
    this.#scores = new Uint16Array(formEnds.length);
    this.#found = new Uint32Array(formEnds.length);
  }

  /** No form may be added afterwards. */
  static *of(forms: IndexedForms): Steps<InvertedIndex> {
    const chunksOfTerm = yield* chunksOfTerms(forms);
    return new InvertedIndex(forms, chunksOfTerm, yield* ShinglePostings.of(forms));
  }

  get chunks(): number {
    return this.#formEnds.length;
  }

  /** The normalised form of a chunk. */
  form(chunk: number): string {
    const words: string[] = [];
    for (let at = this.#formEnds.before(chunk); at < this.#formEnds.at(chunk); at += 1)
      words.push(this.#words.at(this.#forms.at(at)));
    return words.join(" ");
  }

  countWords(terms: readonly string[]): TermCounts {
    return this.#counts(terms, (term) => this.#ofWord(term).length);
  }

  countShingles(shingles: readonly string[]): TermCounts {
    return this.#counts(shingles, (shingle) => this.#shingles.chunksWith(shingle).length);
  }

  /** The `size` chunks that share the most of some sampled shingles, best first. */
  findByShingles(shingles: readonly string[], size: number, searched: SearchedChunks): ScoredChunk[] {
    const lists = shingles.map((shingle) => ({ chunks: this.#shingles.chunksWith(shingle), weight: 1 }));
    return this.#best(lists, 1, size, searched);
  }

  /**
   * The `size` chunks that share the most weight of some words' terms, best first, and at least `scoreMin`.
   * @param terms heaviest first, which takes the least time.
   */
  findByWords(
    terms: readonly WeightedTerm[],
    { size, scoreMin }: { readonly size: number; readonly scoreMin: number },
    searched: SearchedChunks,
  ): ScoredChunk[] {
    const lists = terms.map(({ term, weight }) => ({ chunks: this.#ofWord(term), weight }));
    return this.#best(lists, scoreMin, size, searched);
  }

  #ofWord(term: string): Uint32Array {
    const number = this.#terms.find(term);
    return number === undefined ? NONE : this.#chunksOfTerm.of(number);
  }

  #counts(terms: readonly string[], count: (term: string) => number): TermCounts {
    return { chunks: this.chunks, chunksWith: new Map(terms.map((term) => [term, count(term)])) };
  }

  /**
   * The best chunks with at least `scoreMin`. Once the remaining terms weigh too little to make a new hit, only the chunks found so far are
   * looked up among theirs (MaxScore: Turtle and Flood, 1995).
   */
  #best(
    lists: readonly TermChunks[],
    scoreMin: number,
    size: number,
    { end, isExcluded }: SearchedChunks,
  ): ScoredChunk[] {
    const scores = this.#scores;
    let found = 0;
    // Less than a millionth is an error of the multiplication.
    const least = Math.ceil(scoreMin * TENTHS - 1e-6);
    const tenths = lists.map((list) => Math.round(list.weight * TENTHS));
    let tenthsLeft = tenths.reduce((sum, weight) => sum + weight, 0);
    for (const [at, { chunks }] of lists.entries()) {
      const weight = tenths[at] ?? 0;
      const searched = chunks.subarray(0, firstFrom(chunks, end));
      if (tenthsLeft >= least) {
        found = addToAll(searched, weight, { scores, numbers: this.#found, count: found });
      } else {
        found = this.#keep(found, least - tenthsLeft);
        addToFound(searched, weight, { scores, numbers: this.#found, count: found });
      }
      tenthsLeft -= weight;
    }
    found = this.#keep(found, least);
    const best: ScoredChunk[] = [];
    for (const chunk of this.#found.subarray(0, found))
      if (!isExcluded(chunk)) insert(best, { chunk, score: (scores[chunk] ?? 0) / TENTHS }, size);
    this.#keep(found, Number.POSITIVE_INFINITY);
    return best;
  }

  /** Drops found chunks with a lower score from the first `count`; returns how many are left. */
  #keep(count: number, least: number): number {
    const [found, scores] = [this.#found, this.#scores];
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const chunk = found[at] ?? 0;
      if ((scores[chunk] ?? 0) >= least) {
        found[kept] = chunk;
        kept += 1;
      } else {
        scores[chunk] = 0;
      }
    }
    return kept;
  }
}

/** Scores are added up in whole tenths, as the order of the terms then makes no difference, and 2 bytes are enough: a chunk has at most 235 shingles. */
const TENTHS = 10;

/** The chunks found so far, and the scores of all chunks. */
type Found = { readonly scores: Uint16Array; readonly numbers: Uint32Array; readonly count: number };

/** Adds a weight to the scores of these chunks; chunks without a score are found now. Returns how many there are. */
function addToAll(chunks: Uint32Array, weight: number, { scores, numbers, count }: Found): number {
  let found = count;
  for (let at = 0; at < chunks.length; at += 1) {
    const chunk = chunks[at] ?? 0;
    const before = scores[chunk] ?? 0;
    if (before === 0) {
      numbers[found] = chunk;
      found += 1;
    }
    scores[chunk] = before + weight;
  }
  return found;
}

const NONE = new Uint32Array(0);

/** The position of the first number in an ascending list that is not below `least`. */
function firstFrom(ascending: Uint32Array, least: number): number {
  return firstIndex(ascending.length, (at) => (ascending[at] ?? 0) >= least);
}

/** Adds a weight to the chunks that are found already. Looks each up, unless a pass through the list is cheaper. */
function addToFound(chunks: Uint32Array, weight: number, { scores, numbers, count }: Found): void {
  if (count * LOOKUP_STEPS > chunks.length) {
    for (let at = 0; at < chunks.length; at += 1) {
      const before = scores[chunks[at] ?? 0] ?? 0;
      if (before > 0) scores[chunks[at] ?? 0] = before + weight;
    }
    return;
  }
  for (let at = 0; at < count; at += 1) {
    const chunk = numbers[at] ?? 0;
    if (chunks[firstFrom(chunks, chunk)] === chunk) scores[chunk] = (scores[chunk] ?? 0) + weight;
  }
}

/** Steps of a binary search among the chunks of a term that is not rare. */
const LOOKUP_STEPS = 12;

/** Keeps the list sorted, best first, and no longer than `size`. Of equal scores, the chunk with the lower number is better. */
function insert(best: ScoredChunk[], found: ScoredChunk, size: number): void {
  const isBetter = ({ chunk, score }: ScoredChunk) =>
    score > found.score || (score === found.score && chunk < found.chunk);
  const last = best.at(-1);
  if (best.length >= size && (last === undefined || isBetter(last))) return;
  best.splice(best.findLastIndex(isBetter) + 1, 0, found);
  if (best.length > size) best.pop();
}

/** The normalised forms of the chunks to be indexed, in numbers. Chunks are numbered from 0 on. */
export class IndexedForms {
  readonly words = new Dictionary();
  readonly terms = new Dictionary();
  /** The term of each word. */
  readonly termOf = new NumberList();
  readonly forms = new NumberList();
  readonly formEnds = new NumberList();
  readonly shingles = new NumberList();
  readonly shingleEnds = new NumberList();

  add(form: string): void {
    for (const word of form.split(" ")) {
      if (word === "") continue;
      const number = this.words.add(word);
      if (number === this.termOf.length) this.termOf.push(this.terms.add(wordTerm(word)));
      this.forms.push(number);
    }
    this.formEnds.push(this.forms.length);
    for (const shingle of sampledShingles(form)) this.shingles.push(shingleNumber(shingle) >>> 0);
    this.shingleEnds.push(this.shingles.length);
  }
}

function chunksOfTerms({ terms, termOf, forms, formEnds }: IndexedForms): Steps<Postings> {
  // By term, the last chunk in which it was seen, plus 1.
  const seenIn = new Uint32Array(terms.length);
  return Postings.of(terms.length, formEnds.length, (chunk, add) => {
    if (chunk === 0) seenIn.fill(0);
    for (let at = formEnds.before(chunk); at < formEnds.at(chunk); at += 1) {
      const term = termOf.at(forms.at(at));
      if (seenIn[term] === chunk + 1) continue;
      seenIn[term] = chunk + 1;
      add(term, chunk);
    }
  });
}

/** For each key, the numbers that were added for it, ascending. */
class Postings {
  /** The entries of key k stand from `starts[k]` to `starts[k + 1]`. */
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;

  private constructor(starts: Uint32Array, numbers: Uint32Array) {
    this.#starts = starts;
    this.#numbers = numbers;
  }

  /** Counts, then places (counting sort). @param addAll adds the same for a chunk each time that it is called; chunks come in their order. */
  static *of(
    keys: number,
    chunks: number,
    addAll: (chunk: number, add: (key: number, value: number) => void) => void,
  ): Steps<Postings> {
    function* addChunks(add: (key: number, value: number) => void): Steps<void> {
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        if (chunk % CHUNKS_OF_STEP === 0) yield;
        addAll(chunk, add);
      }
    }
    const starts = new Uint32Array(keys + 1);
    yield* addChunks((key) => {
      starts[key + 1] = (starts[key + 1] ?? 0) + 1;
    });
    for (let key = 0; key < keys; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
    const numbers = new Uint32Array(starts[keys] ?? 0);
    const next = starts.slice(0, keys);
    yield* addChunks((key, value) => {
      const at = next[key] ?? 0;
      numbers[at] = value;
      next[key] = at + 1;
    });
    return new Postings(starts, numbers);
  }

  of(key: number): Uint32Array {
    return this.#numbers.subarray(this.#starts[key], this.#starts[key + 1]);
  }
}

/** The chunks of each shingle. Shingles are 32-bit numbers, and their first bits are the key. */
class ShinglePostings {
  readonly #shingles: NumberList;
  readonly #ends: NumberList;
  /** Positions in the list of shingles. */
  readonly #positions: Postings;

  private constructor(shingles: NumberList, ends: NumberList, positions: Postings) {
    this.#shingles = shingles;
    this.#ends = ends;
    this.#positions = positions;
  }

  static *of({ shingles, shingleEnds: ends }: IndexedForms): Steps<ShinglePostings> {
    const positions = yield* Postings.of(2 ** KEY_BITS, ends.length, (chunk, add) => {
      for (let at = ends.before(chunk); at < ends.at(chunk); at += 1) add(keyOf(shingles.at(at)), at);
    });
    return new ShinglePostings(shingles, ends, positions);
  }

  chunksWith(shingle: string): Uint32Array {
    const number = shingleNumber(shingle) >>> 0;
    const positions = this.#positions.of(keyOf(number));
    return positions
      .filter((position) => this.#shingles.at(position) === number)
      .map((position) => this.#ends.firstFrom(position + 1));
  }
}

/** A million keys: with the 5 million shingles of 10,000 essays, five share one. */
const KEY_BITS = 20;

function keyOf(shingle: number): number {
  return shingle >>> (32 - KEY_BITS);
}

/** Numbers strings in the order in which they come. */
class Dictionary {
  readonly #numbers = new Map<string, number>();
  readonly #strings: string[] = [];

  get length(): number {
    return this.#strings.length;
  }

  add(given: string): number {
    const known = this.#numbers.get(given);
    if (known !== undefined) return known;
    // A copy, as a word cut from a form would keep all of the form in memory.
    const string = [...given].join("");
    this.#numbers.set(string, this.#strings.length);
    return this.#strings.push(string) - 1;
  }

  find(string: string): number | undefined {
    return this.#numbers.get(string);
  }

  at(number: number): string {
    return this.#strings[number] ?? "";
  }
}

/** A list of 32-bit numbers without signs, which takes 4 to 6 bytes for each. */
class NumberList {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Uint32Array(Math.ceil(1.5 * this.#length));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  at(position: number): number {
    return this.#numbers[position] ?? 0;
  }

  /** In an ascending list: the position of the first number that is not below `least`. */
  firstFrom(least: number): number {
    return firstIndex(this.#length, (at) => this.at(at) >= least);
  }

  /** In a list of ends: where the one at this position begins. */
  before(position: number): number {
    return position === 0 ? 0 : this.at(position - 1);
  }
}
