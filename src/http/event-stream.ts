import type { Context } from "koa";
import { z } from "zod";
import type { Viewer } from "../platform/postgres/followers.ts";
import type { Examples } from "./routing/route.ts";

export type EventStream = {
  /** Sends `data` as one JSON line, under a name when one is given. Nothing happens once the stream is closed. */
  readonly send: (data: unknown, event?: string) => void;
  /** Sends a line that clients ignore. */
  readonly comment: (text: string) => void;
  /** Ends the stream. */
  readonly close: () => void;
  /** Aborted when `close`, the client or the stop of the server has ended the stream. */
  readonly closed: AbortSignal;
};

/** Emitted by `listen` on the application when the server begins to stop. */
export const STOPPING = "stopping";

/** Proxies close connections that are idle for a minute, some after half a minute. */
export const HEARTBEAT_MS = 15_000;

/** A reader that is further behind, by some 800 progress events, is disconnected. It reconnects and gets the current state. */
export const UNREAD_BYTES_MAX = 64 * 1024;

/**
 * Answers with Server-Sent Events (WHATWG HTML, section 9.2). The answer's head leaves at once; the caller may return
 * and go on sending. A HEAD request gets that head and a stream that is already closed.
 */
export function openEventStream(ctx: Context): EventStream {
  const { app, res } = ctx;
  const closed = new AbortController();
  startResponse(ctx);

  const write = (lines: string): void => {
    if (closed.signal.aborted) return;
    res.write(lines);
    if (res.writableLength > UNREAD_BYTES_MAX) res.destroy();
  };
  const comment = (text: string): void => write(`: ${text.replace(LINE_END, " ")}\n\n`);
  const heartbeat = setInterval(() => comment("still here"), HEARTBEAT_MS);
  const close = (): void => {
    if (closed.signal.aborted) return;
    clearInterval(heartbeat);
    app.off(STOPPING, close);
    res.off("close", close);
    closed.abort();
    res.end();
  };
  res.on("close", close);
  res.on("error", close);
  app.on(STOPPING, close);
  if (ctx.method === "HEAD") close();

  return {
    send(data, event) {
      const name = event === undefined ? "" : `event: ${event.replace(LINE_END, " ")}\n`;
      write(`${name}data: ${JSON.stringify(data)}\n\n`);
    },
    comment,
    close,
    closed: closed.signal,
  };
}

/**
 * Sends each state that `follow` shows as an event, then the end. Resolves once the stream is open.
 * @param present makes the data of an event from a state, and the last event, with its name.
 * @throws the errors of `follow` from before it opens the stream.
 */
export function streamStates<State, Ended>(
  ctx: Context,
  follow: (open: () => Viewer<State, Ended>) => Promise<void>,
  present: {
    readonly state: (state: State) => unknown;
    readonly end: (ended: Ended) => { readonly event: string; readonly data: unknown };
  },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stream: EventStream | undefined;
    follow(() => {
      const opened = openEventStream(ctx);
      stream = opened;
      resolve();
      return {
        show: (state) => opened.send(present.state(state)),
        end: (ended) => {
          const { event, data } = present.end(ended);
          opened.send(data, event);
          opened.close();
        },
        closed: opened.closed,
      };
    }).catch((error: unknown) => {
      // An open stream can carry no problem: it ends, and its client opens another, which gets the present state.
      if (stream !== undefined) ctx.app.emit("error", error);
      stream?.close();
      reject(error);
    });
  });
}

function startResponse(ctx: Context): void {
  ctx.status = 200;
  ctx.type = "text/event-stream";
  ctx.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
  // Koa would answer when the handler returns, long before the last event.
  ctx.respond = false;
  ctx.res.flushHeaders();
}

const LINE_END = /[\r\n]+/g;

/** The description of the answer. @param schema of one event, with data of `streamedData` */
export function streamResponse(schema: z.ZodType, examples: Examples) {
  return {
    description: "The stream. The schema and the examples are those of one event.",
    contentType: "text/event-stream",
    schema,
    examples,
    headers: {
      "Cache-Control": "`no-store`: a stream must not be cached.",
      "X-Accel-Buffering": "`no`: asks a proxy to pass each event on at once.",
    },
  };
}

/** The data of an event as a client's parser returns it: JSON text. @param components the schemas of the JSON, by their names */
export function streamedData(...components: readonly string[]) {
  return z.string().meta({
    override: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: { anyOf: components.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    },
  });
}
