import type { Extractor } from "../../extract/extractor.ts";
import type { UploadedFile } from "../../http/input/upload.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { ACCEPTED_TYPES, QUERY_TEXT_CHARS_MAX } from "../submit-check.ts";
import type { CompareTexts, Comparison, ComparisonOptions, TextToCompare } from "./compare-texts.ts";

/** One side of a comparison: a text or a file, with its language if it is stated. */
type SideToCompare = Pick<TextToCompare, "language"> & {
  readonly content: string | UploadedFile;
};

/** Compares texts or files. @throws the errors of the extraction, with the file's name, and of `CompareTexts`. */
export type CompareUploads = (
  query: SideToCompare,
  source: SideToCompare,
  options: ComparisonOptions,
) => Promise<Comparison>;

type CompareUploadsParts = { readonly extractor: Extractor; readonly compareTexts: CompareTexts };

export function createCompareUploads({ extractor, compareTexts }: CompareUploadsParts): CompareUploads {
  return async (query, source, options) => {
    const { signal } = options;
    const [queryText, sourceText] = await Promise.all([read(query, signal), read(source, signal)]);
    return compareTexts(queryText, sourceText, options);
  };

  async function read({ content, language }: SideToCompare, signal: AbortSignal): Promise<TextToCompare> {
    if (typeof content === "string") return { text: content, pageMargins: [], language, filename: null };
    const { filename, bytes } = content;
    const options = { filename, accept: ACCEPTED_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX };
    try {
      const { text, margins } = await extractor.extract(bytes, options, signal);
      return { text, pageMargins: margins, language, filename };
    } catch (error) {
      // With two files, the error says which one it is about.
      if (error instanceof DomainError && error.code !== "service_busy")
        throw new DomainError(error.code, `${filename}: ${error.message}`, { cause: error });
      throw error;
    }
  }
}
