import { z } from "zod";
import { HttpFailure } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import { type FetchContext, type FetchedPart, httpAccess, readAnswer } from "../fetching/fetch-context.ts";
import { MEDIA_WIKI_PAUSE_MS, type MediaWikiAccess, mediaWikiRequest } from "./media-wiki-request.ts";

/** An answer to `action=parse`, which is kept as it came. */
const Parsed = z.looseObject({ parse: z.looseObject({ title: z.string(), revid: z.int().positive() }) });
type Parsed = z.infer<typeof Parsed>;

const Revisions = z.object({
  query: z.object({
    normalized: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
    redirects: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
    pages: z.array(
      z.object({
        title: z.string(),
        missing: z.boolean().optional(),
        revisions: z.array(z.object({ revid: z.int() })).optional(),
      }),
    ),
  }),
});

const State = z.object({
  address: z.string(),
  pages: z.array(z.object({ title: z.string(), answer: Parsed })),
});

/**
 * The wikitext of the list pages of the setting `wikipediaCasePages`. One question tells which of them have changed; the others
 * are not fetched again. @throws HttpFailure, also when a page is missing; the signal's reason.
 */
export async function fetchCases(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const titles = settings.wikipediaCasePages;
  const access = { ...httpAccess(context, MEDIA_WIKI_PAUSE_MS), apiBase: settings.wikipediaApiUrl };
  const file = await folder.file("pages.json");
  const state = await folder.readState(State, file);
  const known = new Map(
    state?.address === access.apiBase ? state.pages.map(({ title, answer }) => [title, answer]) : [],
  );
  const revisions = await newestRevisions(access, titles);

  const pages: { title: string; answer: Parsed }[] = [];
  for (const title of titles) {
    const kept = known.get(title);
    const isNewest = kept !== undefined && kept.parse.revid === revisions.get(title);
    pages.push({ title, answer: isNewest ? kept : await parsedPage(access, title) });
  }
  await writeWhole(file, JSON.stringify(pages.map(({ answer }) => answer)));
  await folder.writeState({ address: access.apiBase, pages });
  return {
    file,
    retrievedAt: now(),
    notes: pages.map(({ answer }) => `${answer.parse.title}, revision ${answer.parse.revid}`),
  };
}

/** The newest revision of each page by its title as given; the answer names pages in normal form, and where redirects lead. */
async function newestRevisions(
  access: MediaWikiAccess,
  titles: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { host } = new URL(access.apiBase);
  const answer = await mediaWikiRequest(access, {
    action: "query",
    prop: "revisions",
    rvprop: "ids",
    redirects: "1",
    titles: titles.join("|"),
  });
  const { normalized, redirects, pages } = readAnswer(host, () => Revisions.parse(answer)).query;
  const moved = new Map([...normalized, ...redirects].map(({ from, to }) => [from, to]));
  const revisionOf = new Map(pages.map(({ title, revisions }) => [title, revisions?.[0]?.revid]));
  return new Map(
    titles.map((title) => {
      const normal = moved.get(title) ?? title;
      const revision = revisionOf.get(moved.get(normal) ?? normal);
      if (revision === undefined) {
        throw new HttpFailure(
          `${host} has no page “${title}”; check wikipediaCasePages in the file of STATISTICS_SOURCES`,
        );
      }
      return [title, revision];
    }),
  );
}

async function parsedPage(access: MediaWikiAccess, title: string): Promise<Parsed> {
  const parameters = { action: "parse", prop: "wikitext|revid", redirects: "1", page: title };
  const answer = await mediaWikiRequest(access, parameters);
  return readAnswer(new URL(access.apiBase).host, () => Parsed.parse(answer));
}
