import { z } from "zod";
import { HttpFailure, politeRequest } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import { type FetchContext, type FetchedPart, httpAccess } from "../fetching/fetch-context.ts";
import { Journal } from "../fetching/journal.ts";
import { repairedJson } from "../input/json-document.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** GDELT's search looks back three months, and answers an earlier date with an error. */
const HISTORY_DAYS = 89;

/** Articles reach GDELT late, and its clock is not ours: the last two days are asked for again. */
const OVERLAP_DAYS = 2;

/** Three months are thirteen requests then; a week that has too many articles is halved. */
const FIRST_SPAN_MS = 7 * DAY_MS;

/** The most articles that GDELT gives; a span that has as many may have more, and is asked for in halves. */
const RECORDS_MAX = 250;

/** GDELT indexes every fifteen minutes. What an hour has beyond 250 articles is left out. */
const SPAN_MIN_MS = HOUR_MS;

const Span = z.object({ from: z.int(), to: z.int() });
type Span = z.infer<typeof Span>;

/** A span of time whose articles were fetched. */
const FetchedSpan = Span.extend({ query: z.string(), articles: z.array(z.unknown()) });

const State = z.object({ query: z.string(), until: z.iso.datetime() });

const Articles = z.object({ articles: z.array(z.unknown()).default([]) });

/**
 * The articles since the last fetch, at first of three months, and the timeline of three months by day. The load adds them to
 * what it has: GDELT itself forgets. A fetch that was broken off goes on where it stopped.
 * @throws HttpFailure; the signal's reason.
 */
export async function fetchNews(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const query = settings.gdeltQuery;
  const journal = new Journal(await folder.file("spans.jsonl"), FetchedSpan);
  const until = await untilWhen(context, journal);
  const articles = await articlesSince(context, journal, await sinceWhen(context, until), until);
  const timeline = await gdeltRequest(context, {
    mode: "TimelineVolRaw",
    startdatetime: gdeltTime(until - HISTORY_DAYS * DAY_MS),
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
    refused: () => folder.clear(),
  };
}

/** A fetch that goes on keeps the end that it began with, so that its spans stay the same. */
async function untilWhen(
  { settings, now }: FetchContext,
  journal: Journal<typeof FetchedSpan>,
): Promise<number> {
  let until: number | undefined;
  for await (const { query, to } of journal.read()) {
    if (query === settings.gdeltQuery) until = Math.max(to, until ?? 0);
  }
  const nowMs = now().getTime();
  return until !== undefined && nowMs - until < DAY_MS ? until : nowMs - (nowMs % HOUR_MS);
}

async function sinceWhen({ folder, settings }: FetchContext, until: number): Promise<number> {
  const state = await folder.readState(State);
  const first = until - HISTORY_DAYS * DAY_MS;
  if (state === undefined || state.query !== settings.gdeltQuery) return first;
  return Math.max(first, Date.parse(state.until) - OVERLAP_DAYS * DAY_MS);
}

/** Newest spans first: they are what people look at when a fetch does not come to its end. */
async function articlesSince(
  context: FetchContext,
  journal: Journal<typeof FetchedSpan>,
  since: number,
  until: number,
): Promise<readonly unknown[]> {
  const query = context.settings.gdeltQuery;
  const done = new Map<string, readonly unknown[]>();
  for await (const span of journal.read()) {
    if (span.query === query) done.set(nameOf(span), span.articles);
  }
  const open = spansBetween(since, until);
  const found: unknown[] = [];
  for (let asked = 0, span = open.shift(); span !== undefined; span = open.shift(), asked += 1) {
    context.onProgress(
      { done: asked, total: asked + open.length + 1, totalIsFinal: false, failed: 0 },
      "requests",
    );
    const known = done.get(nameOf(span));
    const articles = known ?? (await articlesIn(context, span));
    if (known === undefined) await journal.append({ ...span, query, articles: [...articles] });
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
  const result = Articles.safeParse(answer);
  if (result.success) return result.data.articles;
  const host = new URL(context.settings.gdeltUrl).host;
  throw new HttpFailure(`the answer of ${host} has no list of articles`, { cause: result.error });
}

function spansBetween(since: number, until: number): Span[] {
  const spans: Span[] = [];
  for (let to = until; to > since; to -= FIRST_SPAN_MS)
    spans.push({ from: Math.max(since, to - FIRST_SPAN_MS), to });
  return spans;
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

/** GDELT asks for five seconds between two requests, and turns away who is exact about it. */
const PAUSE_MS = 6_000;

/** A search through three months may take GDELT half a minute when it is busy. */
const TIMEOUT_MS = 90_000;

/** How GDELT says, with status 200 or 429, that requests come too fast or that it has too much to do. */
const BUSY = /limit requests|too many requests|try again/i;

/**
 * One question to GDELT's DOC 2.0 API. Errors come as a sentence with status 200: those that mean haste are waited out, others
 * are refusals. Illegal characters in the JSON are put up with; no answer at all counts as an empty one.
 * @throws HttpFailure; the signal's reason.
 */
export function gdeltRequest(
  context: FetchContext,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(context.settings.gdeltUrl);
  const asked = { query: context.settings.gdeltQuery, format: "json", ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const request = { url, accept: "application/json", timeoutMs: TIMEOUT_MS };
  return politeRequest(httpAccess(context, PAUSE_MS), request, async (response) => {
    const text = (await response.text()).trim();
    if (text === "") return { kind: "answer", value: {} };
    if (!/^[[{]/.test(text)) {
      const reason = `${url.host} answered: ${sentence(text)}`;
      if (BUSY.test(text)) return { kind: "busy", reason };
      throw new HttpFailure(reason);
    }
    try {
      return { kind: "answer", value: repairedJson(text) };
    } catch {
      // A broken-off answer comes whole at the next try.
      return { kind: "busy", reason: `the answer of ${url.host} is no valid JSON` };
    }
  });
}

const SENTENCE_CHARS_MAX = 200;

function sentence(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, SENTENCE_CHARS_MAX);
}
