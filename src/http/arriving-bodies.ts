import type { IncomingMessage, ServerResponse } from "node:http";
import { declaredBytes } from "./input/parse.ts";

/** Limits for request bodies that are still arriving. */
export type BodyLimits = {
  /** Milliseconds between two pieces of a body. */
  readonly bodyPauseMs: number;
  /** Bytes of all bodies together. */
  readonly bodiesBytesMax: number;
  /** Milliseconds between two checks of these limits. */
  readonly checkIntervalMs: number;
};

/** Why a body is refused. */
type BodyFault = "request_timeout" | "service_busy";

type Arriving = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytesBefore: number;
  bytesSeen: number;
  seenAt: number;
};

/**
 * Limits the memory that slow clients can hold. A body that pauses too long is refused as `request_timeout`. When all
 * bodies together exceed their limit, the oldest are refused as `service_busy`: a normal upload arrives within seconds.
 */
export function watchArrivingBodies(
  { bodyPauseMs, bodiesBytesMax, checkIntervalMs }: BodyLimits,
  refuse: (response: ServerResponse, fault: BodyFault) => void,
) {
  const arriving = new Set<Arriving>();

  function check(): void {
    const now = performance.now();
    let bytesHeld = 0;
    for (const body of arriving) {
      const { request, response } = body;
      if (request.complete || response.writableEnded || response.closed) arriving.delete(body);
      else if (pausedFor(body, now) > bodyPauseMs) refuseBody(body, "request_timeout");
      else bytesHeld += bytesOf(body);
    }
    for (const body of arriving) {
      if (bytesHeld <= bodiesBytesMax) break;
      bytesHeld -= bytesOf(body);
      refuseBody(body, "service_busy");
    }
  }

  function refuseBody(body: Arriving, fault: BodyFault): void {
    arriving.delete(body);
    refuse(body.response, fault);
  }

  const timer = setInterval(check, Math.min(checkIntervalMs, BYTES_INTERVAL_MAX_MS)).unref();
  return {
    /** Watches the body of a request, if any, until it has arrived or the request is answered. */
    watch(request: IncomingMessage, response: ServerResponse): void {
      if (!hasBody(request)) return;
      const bytes = request.socket.bytesRead;
      arriving.add({ request, response, bytesBefore: bytes, bytesSeen: bytes, seenAt: performance.now() });
    },
    close: () => clearInterval(timer),
  };
}

/** 256 MiB arrive in a fifth of a second over a fast line, so a longer interval would let in several times the limit. */
const BYTES_INTERVAL_MAX_MS = 100;

/** The inflated size of a compressed body is unknown while it arrives; a JSON body is at most this (`json-body.ts`). */
const INFLATED_BYTES_MAX = 8 * 1024 * 1024;

/** Whether a request comes with a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || declaredBytes(request) > 0;
}

/** Without the part that came in one piece with the head, 64 KiB at most. */
function bytesOf({ request, bytesBefore }: Arriving): number {
  if (request.headers["content-encoding"] !== undefined) return INFLATED_BYTES_MAX;
  return request.socket.bytesRead - bytesBefore;
}

function pausedFor(body: Arriving, now: number): number {
  const { bytesRead } = body.request.socket;
  if (bytesRead !== body.bytesSeen) {
    body.bytesSeen = bytesRead;
    body.seenAt = now;
  }
  return now - body.seenAt;
}
