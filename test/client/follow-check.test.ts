import { createServer, type Server, type ServerResponse } from "node:http";
import { expect } from "chai";
import fc from "fast-check";
import { engineOperations } from "../../src/client/engine-operations.ts";
import { followCheck, readEvents, type ServerEvent } from "../../src/client/follow-check.ts";
import {
  CheckFailedError,
  createEngineClient,
  ProblemError,
  UnreachableError,
} from "../../src/client/index.ts";
import { createTransport } from "../../src/client/transport.ts";

const CHECK = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
const RETRIEVING = { stage: "retrieving", chunks_done: 16, chunks_total: 40 } as const;
const ALIGNING = { stage: "aligning", chunks_done: 40, chunks_total: 40 } as const;
const END = {
  check_id: CHECK,
  status: "complete",
  overall_similarity_pct: 12.5,
  error_message: null,
  report_url: `/v1/checks/${CHECK}/report`,
} as const;

/** What a connection gets, in turn; the last one answers all that follow. */
type Connection = (response: ServerResponse) => void;

describe("following a check over a network that fails", () => {
  let server: Server;
  let base: string;
  let connections: Connection[];
  let asked: number;

  beforeEach((done) => {
    asked = 0;
    server = createServer((_, response) => {
      const answer = connections[Math.min(asked, connections.length - 1)];
      asked += 1;
      answer?.(response);
    });
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      done();
    });
  });

  afterEach((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  function follow({ signal, silenceMsMax = 60_000 }: { signal?: AbortSignal; silenceMsMax?: number } = {}) {
    const { followCheck: open } = engineOperations(createTransport({ baseUrl: base }));
    return followCheck({ open, silenceMsMax, pauseMsMin: 1 }, CHECK, { signal });
  }

  it("goes on after a break, and tells nothing twice", async () => {
    connections = [
      (response) => void stream(response).write(event(RETRIEVING), () => response.destroy()),
      problem(503),
      (response) => void stream(response).end(event(RETRIEVING) + event(ALIGNING) + event(END, "complete")),
    ];
    expect(await Array.fromAsync(follow())).to.deep.equal([RETRIEVING, ALIGNING, END]);
    expect(asked).to.equal(3);
  });

  it("leaves a connection on which not even a comment comes any more", async () => {
    connections = [
      (response) => void stream(response).write(event(RETRIEVING)),
      (response) => void stream(response).end(event(END, "complete")),
    ];
    expect(await Array.fromAsync(follow({ silenceMsMax: 200 }))).to.deep.equal([RETRIEVING, END]);
  });

  it("stays on one that only comments come on", async () => {
    connections = [
      (response) => {
        stream(response).write(event(RETRIEVING));
        let left = 10;
        const beat = setInterval(() => {
          response.write(": still here\n\n");
          left -= 1;
          if (left > 0) return;
          clearInterval(beat);
          response.end(event(END, "complete"));
        }, 400);
      },
    ];
    expect(await Array.fromAsync(follow({ silenceMsMax: 3_000 }))).to.deep.equal([RETRIEVING, END]);
    expect(asked).to.equal(1);
  });

  it("gives up after ten breaks in a row without anything new", async () => {
    connections = [(response) => void stream(response).end(event(RETRIEVING))];
    const seen: unknown[] = [];
    const error = await collect(follow(), seen);
    expect(error).to.be.instanceOf(UnreachableError);
    expect(seen).to.deep.equal([RETRIEVING]);
    expect(asked).to.equal(1 + 10);
  });

  it("ends as deleted when the check is gone after a break", async () => {
    connections = [(response) => void stream(response).end(event(RETRIEVING)), problem(404)];
    const [, end] = await Array.fromAsync(follow());
    expect(end).to.include({ check_id: CHECK, status: "deleted" });
  });

  it("throws at once what asking again can't mend", async () => {
    connections = [problem(404)];
    expect(await collect(follow(), [])).to.be.instanceOf(ProblemError);
    expect(asked).to.equal(1);
  });

  it("closes the connection when its reader leaves the loop, or is told to stop", async () => {
    const closed: Promise<void>[] = [];
    connections = [
      (response) => {
        closed.push(new Promise((resolve) => response.on("close", resolve)));
        stream(response).write(event(RETRIEVING));
      },
    ];
    for await (const progress of follow()) {
      expect(progress).to.deep.equal(RETRIEVING);
      break;
    }
    const stop = new AbortController();
    for await (const _ of abortable(follow({ signal: stop.signal }), stop)) stop.abort(new Error("enough"));
    await Promise.all(closed);
    expect(closed).to.have.length(2);
  });

  it("makes an error of a check that failed or was deleted", async () => {
    const failed = { ...END, status: "failed", error_message: "It failed three times." };
    connections = [
      (response) => void response.end(JSON.stringify({ check_id: CHECK })),
      (response) => void stream(response).end(event(failed, "failed")),
    ];
    const error = await createEngineClient({ baseUrl: base })
      .check("text")
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(CheckFailedError);
    expect(error).to.include({ checkId: CHECK, status: "failed", message: "It failed three times." });
  });

  it("says so when what answers is another program", async () => {
    connections = [(response) => void response.end("<html>Sign in</html>")];
    const error = await createEngineClient({ baseUrl: base })
      .getHealth()
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProblemError).and.include({ code: "not_this_service" });
  });

  it("reads what a proxy answers as a problem too", async () => {
    connections = [(response) => void response.writeHead(502, { "Retry-After": "7" }).end("<html>")];
    const error = await createEngineClient({ baseUrl: base })
      .getHealth()
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ status: 502, code: "http_502", title: "Bad Gateway", retryAfter: 7 });
  });
});

function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "Content-Type": "text/event-stream" });
}

function event(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function problem(status: number): Connection {
  return (response) =>
    void response
      .writeHead(status, { "Content-Type": "application/problem+json" })
      .end(
        JSON.stringify({ type: "/problems/some-kind", title: "Some kind", status, detail: "Some detail." }),
      );
}

/** All values, and the error that ended them. */
async function collect(values: AsyncIterable<unknown>, into: unknown[]): Promise<unknown> {
  try {
    for await (const value of values) into.push(value);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The values until the abort, which has to end them with its own reason. */
async function* abortable<T>(values: AsyncIterable<T>, { signal }: AbortController): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (error) {
    expect(error).to.equal(signal.reason);
  }
}

describe("reading server-sent events", () => {
  const stream =
    "\uFEFFdata: first\n\n: a comment\n\nevent: end\rdata:two\r\ndata: lines – ü🛥\r\n\r\nevent: none\n\ndata: cut off\n";
  const events: readonly ServerEvent[] = [
    { name: "message", data: "first" },
    { name: "end", data: "two\nlines – ü🛥" },
  ];

  it("takes every end of line, comments, several data lines, and leaves what is cut off", async () => {
    expect(await Array.fromAsync(readEvents(bytesOf(stream, [])))).to.deep.equal(events);
  });

  it("reads the same wherever the network cuts the bytes", async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 100 }));
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        expect(await Array.fromAsync(readEvents(bytesOf(stream, at)))).to.deep.equal(events);
      }),
      { seed: 7 },
    );
  });
});

function bytesOf(text: string, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return new ReadableStream({
    start(controller) {
      for (const [index, edge] of edges.slice(1).entries())
        controller.enqueue(bytes.slice(edges[index], edge));
      controller.close();
    },
  });
}
