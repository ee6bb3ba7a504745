import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Counts, names and identifiers that a span carries; never a text, a path as typed or a statement with its values. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  /** One of a small fixed set: a route's pattern, a queue, a stage, an operation. */
  readonly name: string;
  readonly kind: "server" | "consumer" | "client" | "internal";
  readonly attributes?: SpanAttributes;
};

/** What the work of a span can add to it. */
export type OpenSpan = {
  readonly set: (attributes: SpanAttributes) => void;
  /** Marks the span as failed; `kind` is an error's class or code. What is thrown does so by itself. */
  readonly fail: (kind: string) => void;
};

/** Knows which trace is under way and, where it is set, tells a collector what the trace consists of. */
export type Tracing = {
  /** Runs work as a trace's next step: `parent` is of another process, and without one a trace begins. */
  begin<T>(
    options: SpanOptions,
    parent: TraceContext | undefined,
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>;
  /** Runs work as a step of the trace that is under way; outside of any it is just run. */
  step<T>(options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Sends what has not been sent. */
  close(): Promise<void>;
};

/** Keeps traces together by their identifiers, for the log, and tells nobody of spans. */
export const QUIET_TRACING: Tracing = {
  begin: (_, parent, work) => withinTrace(parent ?? currentTrace() ?? newTrace(), () => work(UNSEEN_SPAN)),
  step: (_, work) => work(),
  close: () => Promise.resolve(),
};

const UNSEEN_SPAN: OpenSpan = { set: () => undefined, fail: () => undefined };

/** Where in a trace something happens, as W3C Trace Context has it: identifiers in lower-case hexadecimal. */
export type TraceContext = {
  /** 32 digits: the same for a request, the job that it leaves behind and all they do. */
  readonly traceId: string;
  /** 16 digits: the step of the trace that is under way. */
  readonly spanId: string;
  /** Whether whoever began the trace has it recorded. */
  readonly sampled: boolean;
};

/** Reads a `traceparent` header; undefined for one that is missing or malformed, which begins no trace. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more = ""] = TRACEPARENT.exec(header ?? "") ?? [];
  if (version === undefined || version === INVALID_VERSION) return undefined;
  // Later versions may say more behind the flags; the first one may not.
  if (version === FIRST_VERSION && more !== "") return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** The header that hands a trace on. */
export function toTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `${FIRST_VERSION}-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** The beginning of a trace of our own, which nobody records. */
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

/** Ambient, because log lines are written at the bottom of functions that have no other use for a trace. */
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
