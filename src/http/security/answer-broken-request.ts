import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ProblemCode, toProblem } from "../problem.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/**
 * Answers what the HTTP parser has given up on, and ends the connection: no application ever sees such a request. The
 * answer is a problem with the headers of any other.
 */
export function answerBrokenRequest(error: Error, socket: Duplex): void {
  const cause = "code" in error ? String(error.code) : "";
  if (!socket.writable || cause === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { code, detail } = FAULTS.get(cause) ?? MALFORMED;
  const problem = toProblem(code, detail);
  const body = JSON.stringify(problem);
  const headers = {
    ...SECURITY_HEADERS,
    "Cache-Control": "no-store",
    Connection: "close",
    "Content-Length": String(Buffer.byteLength(body)),
    "Content-Type": "application/problem+json",
    Date: new Date().toUTCString(),
    "X-Request-Id": randomUUID(),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join("")}\r\n${body}`);
}

type Fault = { readonly code: ProblemCode; readonly detail: string };

const MALFORMED: Fault = {
  code: "malformed_request",
  detail:
    "What was sent is not a request of HTTP/1.1: a line of its head, or the framing of its body, is wrong.",
};

/** Node.js's names for what can be told apart. */
const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ["HPE_HEADER_OVERFLOW", { code: "headers_too_large", detail: "The head of the request is too long." }],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    { code: "body_too_large", detail: "The chunk extensions of the body are too long." },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { code: "request_timeout", detail: "The request did not come to its end in time. Send it faster." },
  ],
]);
