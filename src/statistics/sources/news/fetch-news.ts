import { z } from "zod";
import { HttpFailure, politeRequest, readText } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import { type FetchContext, type FetchedPart, httpAccess, readAnswer } from "../fetching/fetch-context.ts";
import { Journal } from "../fetching/journal.ts";
import { repairedJson } from "../input/json-records.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** GDELT's search covers three months, and answers an earlier date with an error. */
const HISTORY_DAYS = 89;

/** Articles reach GDELT late, and its clock may differ from ours: each fetch repeats the last two days. */
const OVERLAP_DAYS = 2;

/** Three months take thirteen requests then; a week with too many articles is halved. */
const FIRST_SPAN_MS = 7 * DAY_MS;

/** The most articles that GDELT gives. A span with that many may have more, and is requested in halves. */
const RECORDS_MAX = 250;

/** GDELT indexes every fifteen minutes. Articles of an hour beyond the first 250 are lost. */
const SPAN_MIN_MS = HOUR_MS;

const Span = z.object({ from: z.int(), to: z.int() });
type Span = z.infer<typeof Span>;

/** A span of time whose articles were fetched. */
const FetchedSpan = Span.extend({ query: z.string(), articles: z.array(z.unknown()) });

const State = z.object({ query: z.string(), until: z.iso.datetime() });

const Articles = z.object({ articles: z.array(z.unknown()).default([]) });

/**
 * The articles since the last fetch, at first of three months, and the daily timeline of three months. GDELT forgets older
 * ones, so the load adds these to the stored articles. An interrupted fetch resumes where it stopped.
 * @throws HttpFailure; the signal's reason.
 */
export async function fetchNews(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const query = settings.gdeltQuery;
  const journal = new Journal(await folder.file("spans.jsonl"), FetchedSpan);
  const fetched = (await Array.fromAsync(journal.read())).filter((span) => span.query === query);

  // A resumed fetch keeps its original end, so that its spans stay the same.
  const lastMs = Math.max(...fetched.map(({ to }) => to));
  const nowMs = now().getTime();
  const until = nowMs - lastMs < DAY_MS ? lastMs : nowMs - (nowMs % HOUR_MS);

  const state = await folder.readState(State);
  const first = until - HISTORY_DAYS * DAY_MS;
  const since =
    state?.query === query ? Math.max(first, Date.parse(state.until) - OVERLAP_DAYS * DAY_MS) : first;

  const known = new Map(fetched.map((span) => [nameOf(span), span.articles]));
  const articles = await articlesBetween(context, { from: since, to: until }, async (span) => {
    const kept = known.get(nameOf(span));
    if (kept !== undefined) return kept;
    const found = await articlesIn(context, span);
    await journal.append({ ...span, query, articles: [...found] });
    return found;
  });
  const timeline = await gdeltRequest(context, {
    mode: "TimelineVolRaw",
    startdatetime: gdeltTime(first),
    enddatetime: gdeltTime(until),
  });
  const file = await folder.file("news.json");
  await writeWhole(file, JSON.stringify({ articles, timeline }));
  return {
    file,
    retrievedAt: now(),
    notes: [`${articles.length} articles fetched`],
    loaded: async () => {
      await folder.writeState({ query, until: new Date(until).toISOString() });
      await journal.remove();
    },
  };
}

/** Newest spans first: people want them most if a fetch does not finish. */
async function articlesBetween(
  { onProgress }: FetchContext,
  { from: since, to: until }: Span,
  articlesOf: (span: Span) => Promise<readonly unknown[]>,
): Promise<readonly unknown[]> {
  const open: Span[] = [];
  for (let to = until; to > since; to -= FIRST_SPAN_MS)
    open.push({ from: Math.max(since, to - FIRST_SPAN_MS), to });
  const found: unknown[] = [];
  for (let done = 0, span = open.shift(); span !== undefined; span = open.shift(), done += 1) {
    onProgress({ done, total: done + open.length + 1, totalIsFinal: false, failed: 0 }, "requests");
    const articles = await articlesOf(span);
    if (articles.length >= RECORDS_MAX && span.to - span.from > SPAN_MIN_MS) open.unshift(...halves(span));
    else found.push(...articles);
  }
  return found;
}

async function articlesIn(context: FetchContext, { from, to }: Span): Promise<readonly unknown[]> {
  const answer = await gdeltRequest(context, {
    mode: "ArtList",
    maxrecords: String(RECORDS_MAX),
    sort: "DateDesc",
    startdatetime: gdeltTime(from),
    enddatetime: gdeltTime(to),
  });
  return readAnswer(new URL(context.settings.gdeltUrl).host, () => Articles.parse(answer)).articles;
}

function halves({ from, to }: Span): readonly Span[] {
  const middle = from + Math.ceil((to - from) / 2 / SPAN_MIN_MS) * SPAN_MIN_MS;
  return [
    { from: middle, to },
    { from, to: middle },
  ];
}

function nameOf({ from, to }: Span): string {
  return `${from}-${to}`;
}

/** `20260115093000`, in UTC. */
function gdeltTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/\.\d+|\D/g, "");
}

/** GDELT asks for five seconds between two requests, and rejects clients that wait exactly that long. */
const PAUSE_MS = 6_000;

/** A busy GDELT may take half a minute to search three months. */
const TIMEOUT_MS = 90_000;

/** How GDELT says, with status 200 or 429, that requests come too fast or that it is overloaded. */
const BUSY = /limit requests|too many requests|try again/i;

const SENTENCE_CHARS_MAX = 200;

/**
 * One request to GDELT's DOC 2.0 API. Its errors are sentences with status 200: those about load are retried, others are
 * refusals. Illegal characters in the JSON are accepted, and an empty body counts as an empty answer.
 * @throws HttpFailure; the signal's reason.
 */
function gdeltRequest(context: FetchContext, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  const url = new URL(context.settings.gdeltUrl);
  const asked = { query: context.settings.gdeltQuery, format: "json", ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const request = { url, accept: "application/json", timeoutMs: TIMEOUT_MS };
  return politeRequest(httpAccess(context, PAUSE_MS), request, async (response) => {
    const text = (await readText(response)).trim();
    if (text === "") return { kind: "answer", value: {} };
    if (!/^[[{]/.test(text)) {
      const plain = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
      const reason = `${url.host} answered: ${plain.trim().slice(0, SENTENCE_CHARS_MAX)}`;
      if (BUSY.test(text)) return { kind: "busy", reason };
      throw new HttpFailure(reason);
    }
    try {
      return { kind: "answer", value: repairedJson(text) };
    } catch {
      // The next try may get the whole of an answer that was cut off.
      return { kind: "busy", reason: `the answer of ${url.host} is not valid JSON` };
    }
  });
}
