import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type Koa from "koa";
import { ConfigError } from "../platform/domain-error.ts";
import { errorCode } from "../platform/error-code.ts";
import { type BodyLimits, hasBody, watchArrivingBodies } from "./arriving-bodies.ts";
import { STOPPING } from "./event-stream.ts";
import { oneAtATime } from "./pipelining.ts";
import { PROBLEMS, type ProblemCode, RETRY_AFTER_SECONDS, toProblem } from "./routing/problem.ts";
import { SECURITY_HEADERS } from "./security/security-headers.ts";

export type Listener = {
  readonly port: number;
  /** Where clients reach it: `http://127.0.0.1:8080`. */
  readonly address: string;
  /**
   * Takes no new connections, ends event streams, lets running requests finish for up to `graceMs`, then closes the rest.
   * Resolves when every connection is closed; a second call waits for the first.
   */
  readonly close: (graceMs: number) => Promise<void>;
};

type ListenOptions = {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The setting to change when the port is not available, such as `ENGINE_PORT`. */
  readonly portSetting: string;
  /** When it is aborted, each connection ends with its next answer, so that its client opens one to another process. */
  readonly stopping?: AbortSignal | undefined;
  /** Other limits than the defaults, for tests. */
  readonly limits?: Partial<ServerLimits>;
};

/** Serves an application. @throws ConfigError that names the setting to change when the address can't be listened on. */
export async function listen<S>(app: Koa<S>, options: ListenOptions): Promise<Listener> {
  // Each open event stream listens for the stop, so a large number of listeners is not a leak.
  app.setMaxListeners(0);
  const answer = app.callback();
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const bodies = watchArrivingBodies(limits, refuseRequest);
  const serve = oneAtATime((request: IncomingMessage, response: ServerResponse) => {
    track(response);
    if (request.rawHeaders.length > 2 * HEADERS_MAX) return refuseRequest(response, "headers_too_large");
    bodies.watch(request, response);
    if (hasBody(request)) readRestBeforeClosing(request);
    void answer(request, response);
  });
  const server = createServer(serverOptions(limits), serve);
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.timeout = limits.silenceMs;
  // The answers of Node.js itself lack our headers: to an unknown expectation (which may be ignored) and to a request that
  // can't be parsed.
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket) => {
    const response = running.values().find((one) => one.socket === socket);
    if (response?.headersSent) socket.destroy();
    // The fault is in a later request. The answer to this one is the last of its connection.
    else if (response?.req.complete && socket.writable) response.shouldKeepAlive = false;
    else refuseConnection(error, socket);
  });
  server.once("close", bodies.close);
  const running = new Set<ServerResponse>();
  let stopped: Promise<void> | undefined;
  const track = (response: ServerResponse): void => {
    running.add(response);
    // A streamed answer has a dozen of them: of Node.js, Koa and the middleware.
    response.setMaxListeners(20);
    if (stopped !== undefined || options.stopping?.aborted === true) response.shouldKeepAlive = false;
    response.once("close", () => {
      running.delete(response);
      if (stopped !== undefined) setImmediate(() => server.closeIdleConnections());
    });
  };

  const port = await bind(server, options);
  // For example a lack of file descriptors for a new connection, which must not end the process.
  server.on("error", (error) => app.emit("error", error));
  return {
    port,
    address: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    close(graceMs) {
      stopped ??= stop(server, graceMs);
      for (const response of running) response.shouldKeepAlive = false;
      app.emit(STOPPING);
      return stopped;
    },
  };
}

function serverOptions({ headMs, requestMs, keepAliveMs, checkIntervalMs }: ServerLimits): ServerOptions {
  return {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkIntervalMs,
    maxHeaderSize: HEAD_BYTES_MAX,
    // `refuseForeignHosts` refuses a request without a Host.
    requireHostHeader: false,
  };
}

function bind(server: Server, { host, port, portSetting }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(bindError(error, { host, port, portSetting }));
    server.once("error", refuse);
    server.listen({ host, port }, () => {
      server.off("error", refuse);
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}

function bindError(error: Error, { host, port, portSetting }: ListenOptions): Error {
  const code = errorCode(error);
  if (code === "EADDRINUSE") {
    const remedy = `Stop the program that uses it, or set ${portSetting} to a free port.`;
    return new ConfigError(`Port ${port} on ${host} is already in use. ${remedy}`, { cause: error });
  }
  if (code === "EACCES") {
    const remedy = `Set ${portSetting} to a port of 1024 or higher.`;
    return new ConfigError(`This user is not allowed to listen on port ${port} of ${host}. ${remedy}`, {
      cause: error,
    });
  }
  const remedy = `Set HOST to an address of this machine, and ${portSetting} to a free port.`;
  return new ConfigError(`Can't listen on ${host}, port ${port} (${error.message}). ${remedy}`, {
    cause: error,
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}

/** Limits for connections and arriving requests. Times are in milliseconds. */
export type ServerLimits = BodyLimits & {
  /** From the first byte of a request to the end of its head. */
  readonly headMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestMs: number;
  /** Without a byte in either direction, while an answer is being made or read. */
  readonly silenceMs: number;
  /** Between the end of an answer and the next request. */
  readonly keepAliveMs: number;
};

/**
 * - The head of a request arrives at once or not at all. A body has ten minutes: 10 MiB at 20 KB/s. A pause of half a
 *   minute means that the client is gone or only holds the connection.
 * - 256 MiB of bodies are 25 files of the largest size at the same moment. Without a limit, clients that send the end of
 *   many such files slowly could take all memory.
 * - An answer takes six minutes at most, for a file behind a full queue of 20 that each take 30 s on two processes.
 * - Load balancers usually drop idle connections after 60 s. Ours live longer, so that no request meets a closing one.
 */
const SERVER_LIMITS: ServerLimits = {
  headMs: 15_000,
  requestMs: 600_000,
  bodyPauseMs: 30_000,
  bodiesBytesMax: 256 * 1024 * 1024,
  silenceMs: 360_000,
  keepAliveMs: 65_000,
  checkIntervalMs: 1_000,
};

/** For the request line and the headers; the default of Node.js. Proxies take 8 to 16 KiB, browsers send 2 at most. */
export const HEAD_BYTES_MAX = 16 * 1024;

/**
 * Browsers and proxies together send some 40. Node.js silently drops headers over its limit, which could be an
 * Idempotency-Key, so its limit is one higher and such a request is refused.
 */
export const HEADERS_MAX = 200;

/**
 * Makes the end of a connection read on for a moment when its last answer was sent before the whole body had arrived: a
 * client that is still sending would otherwise get a reset instead of the answer.
 */
function readRestBeforeClosing(request: IncomingMessage): void {
  const { socket } = request;
  const isFirst = !lastWithBody.has(socket);
  lastWithBody.set(socket, request);
  if (!isFirst) return;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const last = lastWithBody.get(socket);
    if (last === undefined || last.complete) return close();
    const timer = setTimeout(() => socket.destroy(), READ_REST_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
    last.unpipe();
    last.resume();
  };
}

/** By connection, its last request with a body. */
const lastWithBody = new WeakMap<Socket, IncomingMessage>();

/** Enough for a client on another continent to read the answer and to stop sending. */
const READ_REST_MS = 2_000;

/** Answers with a problem and closes the connection, before any route has answered. */
function refuseRequest(response: ServerResponse, code: ProblemCode): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusal(code);
  response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  response.end(body);
}

/** Answers a request that Node.js could not parse: too large a head, a head that does not arrive, or no HTTP. */
function refuseConnection(error: Error, socket: Duplex): void {
  if (errorCode(error) === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = problemOf(errorCode(error));
  const { status, headers, body } = refusal(code);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

function refusal(code: ProblemCode) {
  const { status, meaning } = PROBLEMS[code];
  const body = JSON.stringify(toProblem(code, meaning));
  const headers = {
    ...SECURITY_HEADERS,
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    Date: new Date().toUTCString(),
    "X-Request-Id": randomUUID(),
    ...(status === 503 && { "Retry-After": String(RETRY_AFTER_SECONDS) }),
    "Content-Length": Buffer.byteLength(body),
  };
  return { status, headers, body };
}

function problemOf(fault: string): ProblemCode {
  if (fault === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "body_too_large";
  if (fault === "HPE_HEADER_OVERFLOW") return "headers_too_large";
  if (fault === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  return "malformed_request";
}
