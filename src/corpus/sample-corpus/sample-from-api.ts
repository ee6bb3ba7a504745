import { z } from "zod";
import { type MediaWikiAccess, mediaWikiRequest } from "../../statistics/sources/media-wiki-request.ts";
import sampleTitles from "./sample-titles.json" with { type: "json" };
import { type DropReason, readArticle, type SampleArticle, type Selection } from "./select-articles.ts";

type ApiAccess = Omit<MediaWikiAccess, "purpose">;

/** Most ids that the API takes in one request from a client without special rights. */
const REVISIONS_PER_REQUEST = 50;

/** An answer that is cut continues until it is complete; each part brings at least one revision. */
const PARTS_MAX = REVISIONS_PER_REQUEST + 1;

/** The revisions of the package from Wikipedia's API, by `sample-titles.json`; hidden ones are skipped. @throws Error */
export async function sampleFromApi(
  settings: Omit<ApiAccess, "signal"> & { readonly limit: number },
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Selection> {
  const wanted = sampleTitles.articles.slice(0, settings.limit);
  const articles: SampleArticle[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  let missing = 0;
  say(`requesting ${wanted.length} revisions from ${new URL(settings.apiBase).host}`);
  for (let start = 0; start < wanted.length; start += REVISIONS_PER_REQUEST) {
    const batch = wanted.slice(start, start + REVISIONS_PER_REQUEST);
    const revisions = batch.map(({ revision }) => revision);
    const wikitexts = await fetchRevisions({ ...settings, signal }, revisions);
    for (const named of batch) {
      const wikitext = wikitexts.get(named.revision);
      const result = wikitext === undefined ? null : readArticle({ ...named, wikitext });
      if (result === null) missing++;
      else if (typeof result === "string") dropped[result] = (dropped[result] ?? 0) + 1;
      else articles.push(result);
    }
  }
  if (missing > 0) say(`Wikipedia no longer shows ${missing} revisions`);
  return { articles, dropped, pages: wanted.length };
}

/** The wikitext of up to 50 revisions by their ids, without hidden ones; large answers come in parts. */
export async function fetchRevisions(
  access: ApiAccess,
  revisions: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let goOn: Readonly<Record<string, string>> | undefined = {};
  for (let part = 0; goOn !== undefined; part++) {
    if (part === PARTS_MAX) throw new Error("the API's answer never ends");
    const json = await mediaWikiRequest(
      { ...access, purpose: "sample corpus loader" },
      {
        action: "query",
        prop: "revisions",
        revids: revisions.join("|"),
        rvprop: "ids|content",
        rvslots: "main",
        ...goOn,
      },
    );
    const answer = Answer.safeParse(json);
    if (!answer.success) throw new Error("the API's answer has an unknown format", { cause: answer.error });
    for (const page of answer.data.query?.pages ?? []) {
      for (const { revid, slots } of page.revisions ?? []) {
        const content = slots?.main.content;
        if (content !== undefined) found.set(revid, content);
      }
    }
    goOn = answer.data.continue;
  }
  return found;
}

const Revision = z.object({
  revid: z.number(),
  /** Missing when the text of the revision is hidden. */
  slots: z.object({ main: z.object({ content: z.string().optional() }) }).optional(),
});

const Answer = z.object({
  continue: z.record(z.string(), z.coerce.string()).optional(),
  query: z
    .object({ pages: z.array(z.object({ revisions: z.array(Revision).optional() })).optional() })
    .optional(),
});
