import { randomUUID } from "node:crypto";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RETRY_AFTER_SECONDS } from "../answer-problems.ts";
import { PROBLEMS, type ProblemCode, toProblem } from "../problem.ts";
import { SECURITY_HEADERS } from "../security/security-headers.ts";

/** Answers with a problem and closes the connection, for a request that no route has answered yet. */
export function refuseRequest(response: ServerResponse, code: ProblemCode): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, meaning } = PROBLEMS[code];
  const body = JSON.stringify(toProblem(code, meaning));
  response.shouldKeepAlive = false;
  response.writeHead(status, { ...headersOf(code), "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Answers what Node.js could not read as a request at all: too large a head, one that does not come, or no HTTP. The
 * same problem as everywhere, though no application ever saw the request.
 */
export function refuseConnection(error: Error, socket: Duplex): void {
  const broken = "code" in error && error.code === "ECONNRESET";
  if (broken || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = codeOf("code" in error ? error.code : undefined);
  const { status, meaning } = PROBLEMS[code];
  const body = JSON.stringify(toProblem(code, meaning));
  const headers = { ...headersOf(code), "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

function headersOf(code: ProblemCode): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    Date: new Date().toUTCString(),
    "X-Request-Id": randomUUID(),
    ...(PROBLEMS[code].status === 503 && { "Retry-After": String(RETRY_AFTER_SECONDS) }),
  };
}

function codeOf(fault: unknown): ProblemCode {
  if (fault === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "body_too_large";
  if (fault === "HPE_HEADER_OVERFLOW") return "headers_too_large";
  if (fault === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  return "malformed_request";
}
