import type { IncomingMessage, ServerResponse } from "node:http";

/** Limits for request bodies that are still arriving. */
export type BodyLimits = {
  /** Milliseconds between two pieces of a body. */
  readonly bodyPauseMs: number;
  /** Bytes of all bodies together. */
  readonly bodiesBytesMax: number;
  /** Milliseconds between two checks of these limits. */
  readonly checkIntervalMs: number;
};

/** Why a body is no longer waited for. */
export type BodyFault = "request_timeout" | "service_busy";

export type ArrivingBodies = {
  /** Watches the body of a request, if it has one, until it is there or the answer is made. */
  readonly watch: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => void;
};

type Arriving = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytesBefore: number;
  bytesSeen: number;
  seenAt: number;
};

/**
 * Bounds what clients that send slowly can hold. A body that pauses for too long is refused as `request_timeout`. When
 * all bodies together are over their limit, those that have been arriving longest are refused as `service_busy`: an
 * honest file is there within seconds, so it is the slow ones that make room.
 */
export function watchArrivingBodies(
  { bodyPauseMs, bodiesBytesMax, checkIntervalMs }: BodyLimits,
  refuse: (response: ServerResponse, fault: BodyFault) => void,
): ArrivingBodies {
  const arriving = new Set<Arriving>();

  function look(): void {
    const now = performance.now();
    let bytesHeld = 0;
    for (const body of arriving) {
      const { request, response } = body;
      if (request.complete || response.writableEnded || response.closed) arriving.delete(body);
      else if (pausedFor(body, now) > bodyPauseMs) giveUp(body, "request_timeout");
      else bytesHeld += bytesOf(body);
    }
    for (const body of arriving) {
      if (bytesHeld <= bodiesBytesMax) break;
      bytesHeld -= bytesOf(body);
      giveUp(body, "service_busy");
    }
  }

  function giveUp(body: Arriving, fault: BodyFault): void {
    arriving.delete(body);
    refuse(body.response, fault);
  }

  const timer = setInterval(look, Math.min(checkIntervalMs, BYTES_LOOK_MS)).unref();
  return {
    watch(request, response) {
      if (!hasBody(request)) return;
      const bytes = request.socket.bytesRead;
      arriving.add({ request, response, bytesBefore: bytes, bytesSeen: bytes, seenAt: performance.now() });
    },
    close: () => clearInterval(timer),
  };
}

/** Over a fast line 256 MiB come in a fifth of a second: looking more seldom would let several times the limit in. */
const BYTES_LOOK_MS = 100;

/** What a compressed body may come to is not known while it arrives; a JSON body is at most this (`json-body.ts`). */
const INFLATED_BYTES_MAX = 8 * 1024 * 1024;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Without what came in one piece with the head, 64 KiB at most. */
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
