import type { Logger } from "./logger.ts";
import { QUIET_TRACING, type Tracing } from "./tracing.ts";

/** Makes the tracing of a process. The OpenTelemetry packages take 20 MB and are loaded only when there is an OTLP endpoint. */
export async function openTracing(endpoint: string | undefined, log: Logger): Promise<Tracing> {
  if (endpoint === undefined) return QUIET_TRACING;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing(endpoint, log);
}
