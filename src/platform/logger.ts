import { pino } from "pino";
import { currentTrace } from "./tracing.ts";

export type Logger = pino.Logger;

const FILE_DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** Logs JSON lines, never a document's text; an error goes under `err`. A request and its jobs share a `traceId`. */
export function createLogger(level: string, stream: keyof typeof FILE_DESCRIPTORS = "stdout"): Logger {
  const serializers = { err: (error: unknown) => describeError(error) };
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers,
    mixin: traceOf,
  };
  return pino(options, pino.destination({ fd: FILE_DESCRIPTORS[stream], sync: true }));
}

function traceOf(): { readonly traceId?: string } {
  const trace = currentTrace();
  return trace === undefined ? {} : { traceId: trace.traceId };
}

type ErrorDescription = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  /** PostgreSQL's, Node.js's or our own. */
  readonly code?: string | number;
  readonly status?: number;
  readonly cause?: ErrorDescription;
};

/** Deeper than any real chain; it ends a cyclic one. */
const CAUSES_MAX = 8;

/** The members of an error without text of a document; pino's serializer copies all, such as a request or a row. */
export function describeError(error: unknown, causesMax = CAUSES_MAX): ErrorDescription {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === "string" ? error : "" };
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  const status = "statusCode" in error ? error.statusCode : undefined;
  return {
    type: error.constructor.name || name,
    message,
    ...(stack !== undefined && { stack }),
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(typeof status === "number" && { status }),
    ...(cause !== undefined && causesMax > 0 && { cause: describeError(cause, causesMax - 1) }),
  };
}

/** Makes members of an error non-enumerable: Node.js prints uncaught errors in full, and the job queue stores them. */
export function hideMembers(error: unknown, names: readonly string[]): void {
  if (!(error instanceof Error)) return;
  for (const name of names) {
    if (Object.hasOwn(error, name)) Object.defineProperty(error, name, { enumerable: false });
  }
}
