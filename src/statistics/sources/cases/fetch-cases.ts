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

const Revision = z.object({ revid: z.int(), timestamp: z.iso.datetime() });
type Revision = z.infer<typeof Revision>;

const History = z.object({
  query: z.object({ pages: z.array(z.object({ revisions: z.array(Revision).min(1).optional() })).length(1) }),
});

/** The revision that is read, beside what the parser needs to know about it. */
const StoodPage = Parsed.extend({
  revised_at: z.iso.datetime(),
  wiki: z.string(),
  newest: Parsed.optional(),
});
type StoodPage = z.infer<typeof StoodPage>;

const State = z.object({
  address: z.string(),
  pages: z.array(z.object({ title: z.string(), page: StoodPage })),
});

/**
 * The wikitext of the list pages of the setting `wikipediaCasePages`: of each, the newest revision that has stood for a week, and
 * the newest one, which tells what has been removed since. Unchanged pages are not fetched again.
 * @throws HttpFailure, also when a page is missing, or no revision of it has stood for a week; the signal's reason.
 */
export async function fetchCases(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const access = { ...httpAccess(context, MEDIA_WIKI_PAUSE_MS), apiBase: settings.wikipediaApiUrl };
  const file = await folder.file("pages.json");
  const state = await folder.readState(State, file);
  const known = new Map(
    state?.address === access.apiBase ? state.pages.map(({ title, page }) => [title, page]) : [],
  );
  const pages: { title: string; page: StoodPage }[] = [];
  for (const title of settings.wikipediaCasePages) {
    const revisions = await newestRevisions(access, title);
    pages.push({
      title,
      page: await stoodPage(access, title, revisions, { now: now(), kept: known.get(title) }),
    });
  }
  await writeWhole(file, JSON.stringify(pages.map(({ page }) => page)));
  await folder.writeState({ address: access.apiBase, pages });
  return {
    file,
    retrievedAt: now(),
    origin: { ...SOURCES.wikipedia, url: new URL("/", access.apiBase).href },
    notes: pages.map(({ page }) => `${page.parse.title}, revision ${page.parse.revid}`),
  };
}

/** The most that the API lists at once: of a page that is changed every day, more than a year. */
const REVISIONS_MAX = "500";

/** Newest first. The API follows redirects and normalises the title. */
async function newestRevisions(access: MediaWikiAccess, title: string): Promise<readonly Revision[]> {
  const { host } = new URL(access.apiBase);
  const answer = await mediaWikiRequest(access, {
    action: "query",
    prop: "revisions",
    rvprop: "ids|timestamp",
    rvlimit: REVISIONS_MAX,
    redirects: "1",
    titles: title,
  });
  const [page] = readAnswer(host, () => History.parse(answer)).query.pages;
  if (page?.revisions !== undefined) return page.revisions;
  throw new HttpFailure(
    `${host} has no page “${title}”; check wikipediaCasePages in the file of STATISTICS_SOURCES`,
  );
}

/** Vandalism of a page that many people watch is undone within hours, and rarely stands for days. */
const STOOD_DAYS = 7;
const DAY_MS = 86_400_000;

async function stoodPage(
  access: MediaWikiAccess,
  title: string,
  revisions: readonly Revision[],
  { now, kept }: { readonly now: Date; readonly kept: StoodPage | undefined },
): Promise<StoodPage> {
  const { host } = new URL(access.apiBase);
  const wiki = new URL("index.php", access.apiBase).href;
  const [newest] = revisions;
  const stood = revisions.find(({ timestamp }, index) => {
    const until = revisions[index - 1]?.timestamp ?? now.toISOString();
    return Date.parse(until) - Date.parse(timestamp) >= STOOD_DAYS * DAY_MS;
  });
  if (stood === undefined || newest === undefined)
    throw new HttpFailure(`${host} has no revision of “${title}” that has stood for ${STOOD_DAYS} days`);
  const newestKept = kept?.newest ?? kept;
  if (kept?.parse.revid === stood.revid && newestKept?.parse.revid === newest.revid) return kept;
  const page = { ...(await parsedRevision(access, stood.revid)), revised_at: stood.timestamp, wiki };
  return newest.revid === stood.revid
    ? page
    : { ...page, newest: await parsedRevision(access, newest.revid) };
}

async function parsedRevision(access: MediaWikiAccess, revision: number): Promise<z.infer<typeof Parsed>> {
  const answer = await mediaWikiRequest(access, {
    action: "parse",
    prop: "wikitext|revid",
    oldid: String(revision),
  });
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
