import { z } from "zod";
import type { InspectedFile } from "../input/inspect-file.ts";
import { readDocument } from "../input/read-document.ts";
import { readRecord } from "../input/read-record.ts";
import type { OnBytes } from "../input/read-text.ts";
import { refusedFile, shown } from "../input/refused-file.ts";

/** A revision of a page of the encyclopedia. */
export type ListPage = { readonly title: string; readonly revisionId: number; readonly wikitext: string };

const Failure = z.object({ error: z.object({ code: z.string(), info: z.string().optional() }) });

/** The wikitext is a string in format version 2, and a member named `*` in version 1. */
const Answer = z.object({
  parse: z.object({
    title: z.string(),
    revid: z.int().positive(),
    wikitext: z.union([z.string(), z.object({ "*": z.string() })]),
  }),
});

/**
 * The pages of a file with MediaWiki's answer to `action=parse&prop=wikitext|revid`, or with an array of such answers.
 * @throws DomainError `unreadable_file` for another shape, and for an answer that is an error.
 */
export async function listPages(input: InspectedFile, onBytes: OnBytes): Promise<ListPage[]> {
  const { file } = input;
  const document = await readDocument(input, onBytes);
  const answers: readonly unknown[] = Array.isArray(document) ? document : [document];
  return answers.map((answer, index) => {
    const place = { file, row: index + 1 };
    const failure = Failure.safeParse(answer);
    if (failure.success) {
      const { code, info } = failure.data.error;
      throw refusedFile({ ...place, column: "error" }, `MediaWiki answered ${shown(info ?? code)}.`);
    }
    const { title, revid, wikitext } = readRecord(Answer, answer, place).parse;
    return { title, revisionId: revid, wikitext: typeof wikitext === "string" ? wikitext : wikitext["*"] };
  });
}
