import { z } from "zod";
import {
  type HttpAccess,
  HttpFailure,
  politeRequest,
  type Reply,
  readText,
} from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import { SOURCES } from "../../facts/sources.ts";
import { type FetchContext, type FetchedPart, httpAccess, readAnswer } from "../fetching/fetch-context.ts";

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
  const wiki = new URL("index.php", access.apiBase).href;
  await writeWhole(file, JSON.stringify(pages.map(({ answer }) => ({ ...answer, wiki }))));
  await folder.writeState({ address: access.apiBase, pages });
  return {
    file,
    retrievedAt: now(),
    origin: { ...SOURCES.wikipedia, url: new URL("/", wiki).href },
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

type MediaWikiAccess = HttpAccess & {
  /** The Action API, such as `https://en.wikipedia.org/w/api.php`. */
  readonly apiBase: string;
};

/** Two requests a second at most: nothing here takes more than 40 requests, so more haste would gain nothing. */
const MEDIA_WIKI_PAUSE_MS = 500;

/** Seconds of replication lag at which the API is asked to turn us away: the value its manual recommends. */
const MAX_LAG_SECONDS = "5";
const RETRIED_CODE = /^(?:maxlag|ratelimited|readonly|internal_api_error_)/;

const ApiError = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });

/**
 * One question to the MediaWiki Action API, asked again when the server is busy: also at the errors `maxlag`, `ratelimited`
 * and `readonly`, which come with status 200. Gives the answer's JSON.
 * @throws HttpFailure with the server's message; the signal's reason.
 */
function mediaWikiRequest(
  access: MediaWikiAccess,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(access.apiBase);
  const asked = { format: "json", formatversion: "2", maxlag: MAX_LAG_SECONDS, ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return politeRequest(access, { url, accept: "application/json" }, async (response) =>
    judge(url.host, await readText(response)),
  );
}

function judge(host: string, body: string): Reply<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new HttpFailure(`the answer of ${host} is not JSON`, { cause: error });
  }
  const failed = ApiError.safeParse(value);
  if (!failed.success) return { kind: "answer", value };
  const { code, info } = failed.data.error;
  const reason = `${host} answered ${code}: ${info}`;
  if (!RETRIED_CODE.test(code)) throw new HttpFailure(reason);
  return { kind: "busy", reason };
}
