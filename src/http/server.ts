import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type Koa from "koa";
import { ConfigError } from "../platform/config.ts";
import { watchArrivingBodies } from "./connections/arriving-bodies.ts";
import { refuseConnection, refuseRequest } from "./connections/plain-problem.ts";
import {
  HEAD_BYTES_MAX,
  HEADERS_MAX,
  SERVER_LIMITS,
  type ServerLimits,
} from "./connections/server-limits.ts";
import { STOPPING } from "./event-stream.ts";

export type Listener = {
  readonly port: number;
  /** Where clients reach it: `http://127.0.0.1:8080`. */
  readonly address: string;
  /**
   * Takes no new connections, ends event streams, lets running requests finish for up to `graceMs`, then cuts what
   * is left. Resolves when every connection is gone; a second call waits for the first.
   */
  readonly close: (graceMs: number) => Promise<void>;
};

export type ListenOptions = {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The setting that a person changes when the port can't be had, such as `ENGINE_PORT`. */
  readonly portSetting: string;
  /** Others than the usual ones, as tests need them. */
  readonly limits?: Partial<ServerLimits>;
};

/**
 * Serves an application.
 * @throws Error that names the setting to change, when the address can't be listened on.
 */
export async function listen<S>(app: Koa<S>, options: ListenOptions): Promise<Listener> {
  // Each open event stream listens for the stop; their number has no bound that would mean a leak.
  app.setMaxListeners(0);
  const answer = app.callback();
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const bodies = watchArrivingBodies(limits, refuseRequest);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    track(response);
    if (request.rawHeaders.length > 2 * HEADERS_MAX) return refuseRequest(response, "headers_too_large");
    bodies.watch(request, response);
    void answer(request, response);
  };
  const server = createServer(serverOptions(limits), serve);
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.timeout = limits.silenceMs;
  // What Node.js would answer by itself lacks our headers: an expectation that it does not know (which may be ignored),
  // and a request that can't be parsed.
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket) => {
    const answered = running.values().some((response) => response.socket === socket && response.headersSent);
    if (answered) socket.destroy();
    else refuseConnection(error, socket);
  });
  server.once("close", bodies.close);
  const running = new Set<ServerResponse>();
  let stopped: Promise<void> | undefined;
  const track = (response: ServerResponse): void => {
    running.add(response);
    if (stopped !== undefined) response.shouldKeepAlive = false;
    response.once("close", () => {
      running.delete(response);
      if (stopped !== undefined) setImmediate(() => server.closeIdleConnections());
    });
  };

  const port = await bind(server, options);
  // Such as a connection that can't be taken for want of file descriptors: no reason to end the process.
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

function serverOptions({ headMs, requestMs, keepAliveMs, lookEveryMs }: ServerLimits): ServerOptions {
  return {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: lookEveryMs,
    maxHeaderSize: HEAD_BYTES_MAX,
    // A request without Host is refused where its headers are looked at, as a problem.
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
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    const remedy = `Stop the program that uses it, or set ${portSetting} to a free port.`;
    return new ConfigError(`Port ${port} on ${host} is already in use. ${remedy}`, { cause: error });
  }
  if (code === "EACCES") {
    const remedy = `Set ${portSetting} to a port of 1024 or higher.`;
    return new ConfigError(`This user may not listen on port ${port} of ${host}. ${remedy}`, {
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
