/** What one connection, and all requests that are arriving, may take. Times in milliseconds. */
export type ServerLimits = {
  /** From the first byte of a request to the end of its head. */
  readonly headMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestMs: number;
  /** Between two pieces of a body. */
  readonly bodyPauseMs: number;
  /** All bodies that are still arriving, together. */
  readonly bodiesBytesMax: number;
  /** Without a byte in either direction, while an answer is being made or read. */
  readonly silenceMs: number;
  /** Between the end of an answer and the next request. */
  readonly keepAliveMs: number;
  /** How often the above is looked at. */
  readonly lookEveryMs: number;
};

/**
 * The head of a request comes at once or not at all. Its body has ten minutes: 10 MiB over a line of 20 KB/s; who
 * pauses for half a minute has gone, or only wants to hold the connection.
 * 256 MiB of bodies: 25 files of the largest size that arrive at the same moment. Who sends the last bytes of many such
 * files slowly would otherwise take all memory.
 * Silent for six minutes is only a client that doesn't read its answer: the longest wait for one is that of a file at the
 * end of a full line of 20, each of which takes its 30 s on two processes (`extractor.ts`).
 * Connections outlive the 60 s after which load balancers usually drop idle ones, so that no request meets a
 * connection that is just being closed.
 */
export const SERVER_LIMITS: ServerLimits = {
  headMs: 15_000,
  requestMs: 600_000,
  bodyPauseMs: 30_000,
  bodiesBytesMax: 256 * 1024 * 1024,
  silenceMs: 360_000,
  keepAliveMs: 65_000,
  lookEveryMs: 1_000,
};

/** The first line and the headers together, Node.js's own limit: proxies take 8 to 16 KiB, browsers send 2 at most. */
export const HEAD_BYTES_MAX = 16 * 1024;

/**
 * Browsers and proxies together send some 40. Node.js drops what is over its count without a word, which could be an
 * Idempotency-Key; it is told to keep one more, and the request is refused.
 */
export const HEADERS_MAX = 200;
