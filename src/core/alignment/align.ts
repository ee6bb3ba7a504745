import { extendSeeds } from "./extend.ts";
import { joinRuns } from "./join.ts";
import { type DroppedPassage, type Passage, passageOf } from "./passage.ts";
import { type PreparedQuery, prepareQuery, type TokenisedText } from "./prepared-query.ts";
import { type Chain, queryWords } from "./run.ts";
import { BARRIER, findSeeds, numberWords } from "./seed.ts";
import { selectChains } from "./select.ts";

export { BARRIER, type PreparedQuery, prepareQuery, type TokenisedText };

/**
 * Finds what of the query stands in one source, word for word or with small edits.
 * The kept passages ascend by query and do not overlap there; a source's text may serve several of them. Offsets are
 * UTF-16 into the two texts. No passage crosses a source word that is `BARRIER`.
 * Time is linear in the source's words and the query words that match, not in the query: against 80,000 words a source
 * of 600 takes 0.2 ms and one of 100,000 takes 25 ms.
 *
 * seed → extend → join → select → classify. Runs are joined before the selection so that an edited copy competes as one
 * against chance matches elsewhere, instead of losing its pieces to them one by one. Reworded text will be one more
 * stage, between selection and classification, for the query text that is still free then.
 */
export function align(
  query: PreparedQuery,
  source: TokenisedText,
): { readonly kept: Passage[]; readonly dropped: DroppedPassage[] } {
  const sourceIds = numberWords(query, source.tokens.words);
  const seeds = findSeeds(query, sourceIds);
  const runs = extendSeeds(query, sourceIds, seeds);
  const chains = joinRuns(query.ids, sourceIds, runs);
  const { kept, dropped } = selectChains(query, chains);
  return {
    kept: keptPassages(query.text, source, kept),
    dropped: dropped.map(({ chain, reason }) => ({ passage: passageOf(query.text, source, chain), reason })),
  };
}

/** Each passage may widen up to the one before it and to the first word of the one after it. */
function keptPassages(query: TokenisedText, source: TokenisedText, chains: readonly Chain[]): Passage[] {
  const passages: Passage[] = [];
  for (const [i, chain] of chains.entries()) {
    const next = chains[i + 1];
    const ceiling = next && query.tokens.starts[queryWords(next).start];
    passages.push(passageOf(query, source, chain, passages.at(-1)?.query.end, ceiling));
  }
  return passages;
}
