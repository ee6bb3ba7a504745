import { z } from "zod";
import { sentences } from "../../../text/chunk.ts";
import type { Finding } from "../../facts/sources.ts";
import listed from "./claim-words.json" with { type: "json" };

/** In the list, `<` is the beginning of a word: `\b` knows ASCII letters alone. */
const Pattern = z
  .string()
  .transform((written) => new RegExp(written.replaceAll(/(?<!\(\?)</g, "(?<!\\p{L})"), "iu"));

/** The sentence of an entry that says plagiarism, and how it says it. */
type PlagiarismClaim = { readonly statement: string; readonly finding: Finding };

/**
 * What an entry says of plagiarism: its first sentence that tells of a finding, else the first that states plagiarism, else the
 * first that alleges it. Undefined when none does so with certainty: sentences with a negation, about the reuse of one's own
 * work or of data, and about people who exposed or suffered plagiarism say nothing, nor does an entry in which somebody was cleared.
 * @param language ISO 639-1 code of the text; in one without a list of words, nothing is certain.
 */
export function plagiarismClaim(text: string, language: string): PlagiarismClaim | undefined {
  const words = WORDS.get(language);
  if (words === undefined || words.cleared.test(text)) return undefined;
  const claims = wholeSentences(text, language)
    .filter((sentence) => words.says.test(sentence) && !words.unsure.test(sentence))
    .map((statement) => ({ statement, finding: findingOf(statement, words) }));
  const [first] = claims.toSorted((a, b) => CERTAINTY.indexOf(a.finding) - CERTAINTY.indexOf(b.finding));
  return first;
}

/** The most certain first. */
const CERTAINTY: readonly Finding[] = ["found", "stated", "alleged"];

/** An initial, a title or another abbreviation, after which a sentence goes on. */
const ABBREVIATION =
  /(?<!\p{L})(?:\p{Lu}|Dr|Prof|St|Mr|Mrs|Ms|Jr|Sr|Univ|Hon|Rev|al|vs|cf|approx|Ph\.D|Nr|Sra?|M\.D)\.\s*$/u;

function wholeSentences(text: string, language: string): string[] {
  const whole: string[] = [];
  let open = "";
  for (const { start, end } of sentences(text, language)) {
    open += text.slice(start, end);
    if (ABBREVIATION.test(open) && end < text.length) continue;
    whole.push(open.trim());
    open = "";
  }
  return whole;
}

/** Somebody who was accused and dismissed may have been dismissed for another reason: then only a finding of plagiarism counts. */
function findingOf(sentence: string, { alleged, found, proven }: ClaimWords): Finding {
  if (proven?.test(sentence)) return "found";
  if (alleged.test(sentence)) return "alleged";
  return found.test(sentence) ? "found" : "stated";
}

const Words = z.record(
  z.string(),
  z.object({
    ...{ says: Pattern, unsure: Pattern, cleared: Pattern, alleged: Pattern, found: Pattern },
    proven: Pattern.optional(),
  }),
);

const WORDS = new Map(Object.entries(Words.parse(listed)));
type ClaimWords = z.infer<typeof Words>[string];
