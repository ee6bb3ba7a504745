import { createServer, type IncomingHttpHeaders } from "node:http";

export type ApiQuestion = {
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};
export type ApiReply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
};

/** The forms of the answers are those of the MediaWiki Action API with `formatversion=2`. */
export function revisionsReply(
  found: ReadonlyMap<number, string>,
  bad: readonly number[] = [],
  more?: string,
): ApiReply {
  const pages = [...found].map(([revid, content], i) => ({
    pageid: i + 1,
    ns: 0,
    title: `Page ${i + 1}`,
    revisions: [
      {
        revid,
        parentid: 0,
        slots: { main: { contentmodel: "wikitext", contentformat: "text/x-wiki", content } },
      },
    ],
  }));
  const badrevids = Object.fromEntries(bad.map((revid) => [revid, { revid, missing: true }]));
  return {
    body: {
      ...(more === undefined ? { batchcomplete: true } : { continue: { rvcontinue: more, continue: "||" } }),
      query: { ...(bad.length === 0 ? {} : { badrevids }), pages },
    },
  };
}

/** With status 200, as the real one does. */
export const MAXLAG: ApiReply = {
  headers: { "retry-after": "1", "x-database-lag": "7" },
  body: {
    error: { code: "maxlag", info: "Waiting for 10.0.0.1: 7.2 seconds lagged.", host: "10.0.0.1", lag: 7.2 },
  },
};

/** A local server in the place of Wikipedia's API; `reply` is asked for every question in turn. */
export async function startWikipedia(reply: (question: ApiQuestion, index: number) => ApiReply) {
  const questions: ApiQuestion[] = [];
  let open = 0;
  let openMost = 0;
  const server = createServer((request, response) => {
    openMost = Math.max(openMost, ++open);
    const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const question = { parameters: searchParams, headers: request.headers, at: performance.now() };
    const { status = 200, headers = {}, body } = reply(question, questions.push(question) - 1);
    response.once("close", () => open--);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    apiBase: `http://127.0.0.1:${port}/w/api.php`,
    questions,
    requestsAtOnce: () => openMost,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
