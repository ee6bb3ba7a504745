import { connect } from "node:net";
import type { Router } from "@koa/router";
import { type DestinationStream, type Logger, pino } from "pino";
import { Registry } from "prom-client";
import { type AppOptions, createApp } from "../../src/http/app.ts";
import { createHttpMetrics } from "../../src/http/observation.ts";
import { PendingAnswers } from "../../src/http/pending-answers.ts";
import { type Listener, listen, type ServerLimits } from "../../src/http/server.ts";

export type LogLine = { readonly level: number; readonly msg: string; readonly [field: string]: unknown };

export type Fixture = Listener & {
  readonly registry: Registry;
  /** What was logged, at every level. */
  readonly lines: readonly LogLine[];
  /** Waits for a log line, as the one of a request is written a moment after its answer; mocha's limit ends the waiting. */
  readonly logged: (matches: (line: LogLine) => boolean) => Promise<LogLine>;
  readonly stop: () => Promise<void>;
};

/** A real server on a free port with the whole of `createApp` before the given routers. */
export async function serve(
  routers: readonly Router[],
  more: Partial<AppOptions> = {},
  limits: Partial<ServerLimits> = {},
): Promise<Fixture> {
  const registry = new Registry();
  const lines: LogLine[] = [];
  const log = memoryLogger(lines);
  const shared = { metrics: createHttpMetrics(registry), pendingAnswers: new PendingAnswers() };
  const app = createApp({ name: "test", log, ...shared, routers, ...more });
  const listener = await listen(app, { host: "127.0.0.1", port: 0, portSetting: "TEST_PORT", limits });
  return {
    ...listener,
    registry,
    lines,
    async logged(matches) {
      for (;;) {
        const line = lines.find(matches);
        if (line !== undefined) return line;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    stop: () => listener.close(0),
  };
}

/** Writes bytes to a port as they are, and gives all that comes back until the server ends the connection. */
export function rawExchange(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.once("close", () => resolve(answer));
    socket.once("error", reject);
    for (const part of parts) socket.write(part);
  });
}

/** Writes the beginning of a request, and breaks the connection off a moment later. */
export async function abandon(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
}

function memoryLogger(lines: LogLine[]): Logger {
  const destination: DestinationStream = { write: (line) => lines.push(JSON.parse(line)) };
  return pino({ level: "debug", base: null }, destination);
}
