import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { errorCode } from "./error-code.ts";
import type { Logger } from "./logger.ts";
import {
  currentTrace,
  type OpenSpan,
  type SpanOptions,
  type TraceContext,
  type Tracing,
  withinTrace,
} from "./tracing.ts";

/** The service's name unless `OTEL_SERVICE_NAME` gives another. */
const SERVICE_NAME = "similarity-check";

/** A collector nearby takes a batch in milliseconds; a stop waits no longer than this for an unreachable one. */
const SEND_TIMEOUT_MS = 3_000;

/** Sends spans to a collector in batches, in the background. An unreachable collector loses spans and nothing else. */
export function createOtlpTracing(endpoint: string, log: Logger): Tracing {
  // By OpenTelemetry's convention for this variable, the signal's path is appended.
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": SERVICE_NAME }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withLog(new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), log),
      }),
    ],
  });
  const tracer = provider.getTracer(SERVICE_NAME);
  return {
    begin: (options, parent, work) => inSpan(tracer, options, parent ?? currentTrace(), work),
    step: (options, work) => {
      const parent = currentTrace();
      return parent === undefined ? work() : inSpan(tracer, options, parent, work);
    },
    close: () => provider.shutdown(),
  };
}

async function inSpan<T>(
  tracer: Tracer,
  { name, kind, attributes = {} }: SpanOptions,
  parent: TraceContext | undefined,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
  try {
    return await withinTrace(toTraceContext(span), () =>
      work({
        set: (more) => span.setAttributes(more),
        fail: (failure) => markFailed(span, failure),
      }),
    );
  } catch (error) {
    // Only the class or code: a message may quote the request.
    markFailed(span, failureOf(error));
    throw error;
  } finally {
    span.end();
  }
}

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

function contextOf(parent: TraceContext | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function toTraceContext(span: Span): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}

function markFailed(span: Span, failure: string): void {
  span.setAttribute("error.type", failure);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function failureOf(error: unknown): string {
  return error instanceof Error ? errorCode(error) || error.constructor.name : typeof error;
}

/** Logs once that the collector is unreachable, and once that it is back. */
function withLog(exporter: SpanExporter, log: Logger): SpanExporter {
  let isUnreachable = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isUnreachable) log.warn({ err: result.error }, "spans not sent");
        if (!failed && isUnreachable) log.info("spans are sent again");
        isUnreachable = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
