import { expect } from "chai";
import { bibliography } from "../../src/text/bibliography.ts";
import { fingerprintText } from "../../src/text/fingerprint-text.ts";
import { integrityFlags } from "../../src/text/integrity.ts";
import { quotations } from "../../src/text/quotations.ts";
import type { Span } from "../../src/text/span.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { wordCount } from "../../src/text/word-count.ts";
import { trapTexts } from "./trap-texts.ts";

/**
 * What reads a client's text from end to end, with the spans that it gives: each must lie in the text, hold something, and
 * come after the one before.
 */
const READERS: Readonly<Record<string, (text: string) => readonly Span[]>> = {
  "the words of a text": (text) => wordSpans(text, "en"),
  "the words of a text, as Chinese": (text) => wordSpans(text, "zh"),
  "the chunks of a text": (text) => fingerprintText(text, "en"),
  quotations: quotations,
  bibliographies: bibliography,
  "integrity flags": (text) => integrityFlags(text),
  "the count of words": (text) => {
    expect(wordCount(text, "en")).to.be.within(0, text.length);
    return [];
  },
};

/** Describes that texts made to be slow are read in linear time: mocha's limit ends what is not. */
export function readsTrapTexts({ units, timeoutMs }: { readonly units: number; readonly timeoutMs: number }) {
  describe(`texts of ${units.toLocaleString("en")} characters that are made to be slow`, function () {
    this.timeout(timeoutMs);
    for (const [name, read] of Object.entries(READERS)) {
      it(`are read in linear time, with sound spans: ${name}`, () => {
        for (const text of trapTexts(units)) expectSound(read(text), text);
      });
    }
  });
}

function wordSpans(text: string, language: string): Span[] {
  const { starts, ends } = tokenise(text, language);
  return Array.from(starts, (start, at) => ({ start, end: ends[at] ?? Number.NaN }));
}

function expectSound(spans: readonly Span[], text: string): void {
  const shown = JSON.stringify(text.slice(0, 20));
  let previous = 0;
  for (const { start, end } of spans) {
    if (start >= previous && end > start && end <= text.length) {
      previous = end;
      continue;
    }
    expect.fail(`a span [${start}, ${end}) after ${previous} in a text of ${text.length}: ${shown}…`);
  }
}
