import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

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
