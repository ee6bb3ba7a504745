import { z } from "zod";
import { type MediaWikiAccess, mediaWikiRequest } from "../../../mediawiki/media-wiki-request.ts";

/** How Wikipedia's API is asked. */
export type ApiAccess = Omit<MediaWikiAccess, "purpose">;

const PURPOSE = "sample corpus loader";

/** What the API takes of ids in one question from a client without special rights. */
export const REVISIONS_PER_REQUEST = 50;

/** A batch whose answer is cut goes on until it is whole; each part brings at least one revision. */
const PARTS_MAX = REVISIONS_PER_REQUEST + 1;

const Revision = z.object({
  revid: z.number(),
  /** Absent when the revision's text is hidden. */
  slots: z.object({ main: z.object({ content: z.string().optional() }) }).optional(),
});
const Answer = z.object({
  continue: z.record(z.string(), z.coerce.string()).optional(),
  query: z
    .object({ pages: z.array(z.object({ revisions: z.array(Revision).optional() })).optional() })
    .optional(),
});

/**
 * The wikitext of up to 50 exact revisions, by revision id, from the MediaWiki Action API (`prop=revisions`).
 * Revisions that were deleted, never existed or are hidden are not in the answer. An answer that is too large for one
 * response comes in parts (`continue`), all of which are asked for. Throws as `mediaWikiRequest` does.
 */
export async function fetchRevisions(
  access: ApiAccess,
  revisions: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let goOn: Readonly<Record<string, string>> | undefined = {};
  for (let part = 0; goOn !== undefined; part++) {
    if (part === PARTS_MAX) throw new Error("the API's answer never ends");
    const json = await mediaWikiRequest(
      { ...access, purpose: PURPOSE },
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
    if (!answer.success) throw new Error("the API's answer has an unknown form", { cause: answer.error });
    for (const page of answer.data.query?.pages ?? []) {
      for (const revision of page.revisions ?? []) {
        const content = revision.slots?.main.content;
        if (content !== undefined) found.set(revision.revid, content);
      }
    }
    goOn = answer.data.continue;
  }
  return found;
}
