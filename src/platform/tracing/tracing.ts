import type { Logger } from "../logger.ts";
import { currentTrace, newTrace, type TraceContext, withinTrace } from "./trace-context.ts";

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

/**
 * Makes the tracing of a process. The OpenTelemetry packages are loaded with an endpoint only: they take 20 MB.
 * @param endpoint of a collector that takes OTLP by HTTP, such as `http://localhost:4318`.
 */
export async function openTracing(endpoint: string | undefined, log: Logger): Promise<Tracing> {
  if (endpoint === undefined) return QUIET_TRACING;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing(endpoint, log);
}

const UNSEEN_SPAN: OpenSpan = { set: () => undefined, fail: () => undefined };
