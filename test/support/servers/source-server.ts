import { createServer, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A request as a server in the place of another party's sees it. */
export type Question = {
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};

export type SourceReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text or bytes. */
  readonly body: unknown;
  /** The connection breaks after so many bytes of the body. */
  readonly breaksAfter?: number;
  /** The connection breaks only once this holds: what the client has not read yet is lost with the connection. */
  readonly breaksWhen?: () => Promise<boolean>;
  /** A byte of the body is sent now and then, without an end. */
  readonly drips?: boolean;
};

export type SourceServer = {
  readonly base: string;
  readonly questions: Question[];
  stop(): Promise<void>;
};

/** A local server in the place of another party's; `reply` is asked for every request in turn. */
export async function startSource(
  reply: (question: Question, index: number) => SourceReply,
): Promise<SourceServer> {
  const questions: Question[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const question = {
      path: decodeURIComponent(pathname),
      parameters: searchParams,
      headers: request.headers,
      at: performance.now(),
    };
    const {
      status = 200,
      headers = {},
      body,
      breaksAfter,
      breaksWhen,
      drips = false,
    } = reply(question, questions.push(question) - 1);
    const bytes = toBytes(body);
    const type =
      typeof body === "object" && !(body instanceof Uint8Array) ? "application/json" : "text/plain";
    // Some statuses have no body, and no length either.
    const length = status === 304 || drips ? {} : { "content-length": String(bytes.length) };
    response.writeHead(status, { "content-type": type, ...length, ...headers });
    if (drips) {
      const timer = setInterval(() => response.write("."), BREAK_MS);
      response.on("close", () => clearInterval(timer));
    } else if (breaksAfter === undefined) response.end(status === 304 ? undefined : bytes);
    else {
      response.write(bytes.subarray(0, breaksAfter), async () => {
        do await sleep(BREAK_MS);
        while (!response.destroyed && !((await breaksWhen?.()) ?? true));
        response.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    questions,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What was written should be on its way before the connection breaks. */
const BREAK_MS = 20;

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** Runs `work` against a server of its own. */
export async function withSource<T>(
  reply: (question: Question, index: number) => SourceReply,
  work: (server: SourceServer) => Promise<T>,
): Promise<T> {
  const server = await startSource(reply);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
