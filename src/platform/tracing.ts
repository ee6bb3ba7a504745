import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Counts, names and identifiers of a span; never a text, a raw path or a statement with its values. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  /** One of a small fixed set: a route's pattern, a queue, a stage, an operation. */
  readonly name: string;
  readonly kind: "server" | "consumer" | "client" | "internal";
  readonly attributes?: SpanAttributes;
};

export type OpenSpan = {
  readonly set: (attributes: SpanAttributes) => void;
  /** Marks the span as failed; `kind` is an error's class or code. An exception does so by itself. */
  readonly fail: (kind: string) => void;
};

/** Keeps the current trace and, if an endpoint is set, sends its spans to a collector. */
export type Tracing = {
  /** Runs work as the next step of the trace of `parent`, which comes from another process; without it a trace begins. */
  begin<T>(
    options: SpanOptions,
    parent: TraceContext | undefined,
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>;
  /** Runs work as a step of the current trace; without one it is only run. */
  step<T>(options: SpanOptions, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Passes trace identifiers on for the log, without spans. */
export const QUIET_TRACING: Tracing = {
  begin: (_, parent, work) => withinTrace(parent ?? currentTrace() ?? newTrace(), () => work(UNSEEN_SPAN)),
  step: (_, work) => work(),
  close: () => Promise.resolve(),
};

const UNSEEN_SPAN: OpenSpan = { set: () => undefined, fail: () => undefined };

/** A position in a trace, by W3C Trace Context; identifiers are lower-case hexadecimal. */
export type TraceContext = {
  /** 32 digits: the same for a request and its jobs. */
  readonly traceId: string;
  /** 16 digits: the current step. */
  readonly spanId: string;
  readonly sampled: boolean;
};

/** Reads a `traceparent` header; undefined for one that is missing or malformed, which begins no trace. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more = ""] = TRACEPARENT.exec(header ?? "") ?? [];
  if (version === undefined || version === INVALID_VERSION) return undefined;
  // Only later versions may have more fields after the flags.
  if (version === FIRST_VERSION && more !== "") return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** The header that passes a trace on. */
export function toTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `${FIRST_VERSION}-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** A new trace, which is not recorded. */
export function newTrace(): TraceContext {
  return { traceId: randomId(16), spanId: randomId(8), sampled: false };
}

/** The trace of the request or job on whose behalf the caller runs; undefined outside of any. */
export function currentTrace(): TraceContext | undefined {
  return CURRENT.getStore();
}

/** Runs `work` as a part of a trace: all that it calls and awaits finds it by `currentTrace`. */
export function withinTrace<T>(trace: TraceContext, work: () => T): T {
  return CURRENT.run(trace, work);
}

/** Ambient, because functions that write log lines have no other use for a trace. */
const CURRENT = new AsyncLocalStorage<TraceContext>();

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.{0,256})?$/;
const FIRST_VERSION = "00";
const INVALID_VERSION = "ff";
const SAMPLED = 1;

/** An identifier of zeros alone stands for none. */
const ZEROS = /^0+$/;

function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString("hex");
  return ZEROS.test(id) ? randomId(bytes) : id;
}
