import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** A request as it came, and a way to have it answered by the real server. */
export type Exchange = {
  readonly asked: IncomingMessage;
  readonly body: Buffer;
  readonly answer: ServerResponse;
  readonly forward: () => Promise<Forwarded>;
};

type Forwarded = { readonly status: number; readonly contentType: string; readonly body: Buffer };

/** What becomes of a request that a fault meets. */
export type Act = (exchange: Exchange) => Promise<void> | void;

export type Fault = {
  /** Looked for in the method and the path with its query: `POST /similarity-chunks-read/_msearch`. */
  readonly on: RegExp;
  readonly act: Act;
  /** How many requests it meets; all of them unless told. */
  readonly times?: number;
};

/** A fault that is there until it is lifted, or has met as many requests as it was to. */
export type FaultAtWork = {
  /** Requests that it has met so far. */
  readonly met: number;
  /** Resolves when it has met so many. */
  metTimes(count: number): Promise<void>;
  lift(): void;
};

type Access = (asked: IncomingMessage) => { readonly authorization?: string; readonly ca?: string };

type Upstream = { readonly target: string; readonly access: Access };

/** A server before an OpenSearch that passes everything on, but for the faults that a test sets. */
export class FaultProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #faults: Set<FaultState>;

  private constructor(url: string, server: Server, faults: Set<FaultState>) {
    this.url = url;
    this.#server = server;
    this.#faults = faults;
  }

  /** @param access what the proxy itself shows to the server in the place of what it was shown. */
  static async open(target: string, access: Access = () => ({})): Promise<FaultProxy> {
    const faults = new Set<FaultState>();
    const server = createServer((asked, answer) => {
      serve({ target, access }, faults, asked, answer).catch(() => answer.destroy());
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return new FaultProxy(`http://127.0.0.1:${port}`, server, faults);
  }

  set(fault: Fault): FaultAtWork {
    const state = new FaultState(fault, () => this.#faults.delete(state));
    this.#faults.add(state);
    return state;
  }

  /** Lifts every fault. */
  liftAll(): void {
    this.#faults.clear();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

class FaultState implements FaultAtWork {
  met = 0;
  readonly fault: Fault;
  readonly lift: () => void;

  constructor(fault: Fault, lift: () => void) {
    this.fault = fault;
    this.lift = lift;
  }

  meet(): void {
    this.met += 1;
    if (this.met === this.fault.times) this.lift();
  }

  async metTimes(count: number): Promise<void> {
    while (this.met < count) await sleep(5);
  }
}

async function serve(
  upstream: Upstream,
  faults: ReadonlySet<FaultState>,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const body = await buffer(asked);
  const forward = () => forwarded(upstream, asked, body);
  const met = [...faults].find(({ fault }) => fault.on.test(`${asked.method} ${asked.url}`));
  met?.meet();
  await (met?.fault.act ?? passOn)({ asked, body, answer, forward });
}

async function forwarded(
  { target, access }: Upstream,
  asked: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> {
  const { host: _, connection: __, ...headers } = asked.headers;
  const { authorization = headers.authorization, ca } = access(asked);
  const options: RequestOptions = {
    method: asked.method ?? "GET",
    // Node.js accepts no header that is undefined.
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    ca,
  };
  const url = new URL(asked.url ?? "/", target);
  const sent = url.protocol === "https:" ? httpsRequest(url, options) : request(url, options);
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new Error("no answer");
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    body: await buffer(response),
  };
}

/** Changes nothing. */
export async function passOn({ answer, forward }: Exchange): Promise<void> {
  send(answer, await forward());
}

function send(answer: ServerResponse, { status, contentType, body }: Forwarded): void {
  answer.writeHead(status, { "content-type": contentType, "content-length": body.length });
  answer.end(body);
}

/** Answers in the place of the server, which never gets the request: an object as JSON, a string as a page of HTML. */
export function answerWith(status: number, content: object | string): Act {
  const isPage = typeof content === "string";
  const body = Buffer.from(isPage ? content : JSON.stringify(content));
  const contentType = isPage ? "text/html; charset=utf-8" : "application/json; charset=UTF-8";
  return ({ answer }) => send(answer, { status, contentType, body });
}

/** Changes what the server answers. */
export function editAnswer(edit: (body: unknown) => unknown): Act {
  return async ({ answer, forward }) => {
    const real = await forward();
    const body = Buffer.from(JSON.stringify(edit(JSON.parse(real.body.toString()))));
    send(answer, { ...real, body });
  };
}

/** Ends the connection when half of the answer is out. The server has done what it was asked. */
export const cutAnswer: Act = async ({ answer, forward }) => {
  await sendHalf(answer, await forward());
  answer.destroy();
};

/** Ends the connection before anything of the answer is out. The server has done what it was asked. */
export const loseAnswer: Act = async ({ answer, forward }) => {
  await forward();
  answer.destroy();
};

/** Sends half of the answer, and then nothing more on a connection that stays. */
export const stallAnswer: Act = async ({ answer, forward }) => {
  await sendHalf(answer, await forward());
};

async function sendHalf(answer: ServerResponse, { status, contentType, body }: Forwarded): Promise<void> {
  answer.writeHead(status, { "content-type": contentType, "content-length": body.length });
  await new Promise<void>((sent) => answer.write(body.subarray(0, body.length >> 1), () => sent()));
}

/** JSON that breaks off, in an answer that is as long as it says. */
export const truncateAnswer: Act = async ({ answer, forward }) => {
  const real = await forward();
  send(answer, { ...real, body: real.body.subarray(0, real.body.length >> 1) });
};

/** Lets the answer through after a while. */
export function delayAnswer(delayMs: number): Act {
  return async ({ answer, forward }) => {
    const real = await forward();
    await sleep(delayMs);
    send(answer, real);
  };
}
