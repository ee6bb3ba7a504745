import { setImmediate as nextPass } from "node:timers/promises";

/** Parts are sent together up to this length, because each would be a chunk of the response. */
const CHUNK_LENGTH = 64 * 1024;

/** Text or markup. */
type Part = { toString(): string };

/** How long a response may compute at a stretch. With the longest part of one, 20 ms, a pass of the event loop stays below 50 ms. */
const TURN_MS = 10;

/** The last turn that was asked for. The event loop belongs to the whole process, and so does the order of the turns. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Makes a response from its parts without holding up other requests: after each turn, the event loop does whatever else is waiting.
 * All responses that are made at the same time share the turns, one in each pass of the loop.
 */
export async function* inTurns(parts: Iterable<Part> | AsyncIterable<Part>): AsyncGenerator<string> {
  let chunk = "";
  await turn();
  let endsAt = performance.now() + TURN_MS;
  for await (const part of parts) {
    chunk += part.toString();
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = "";
    }
    if (performance.now() < endsAt) continue;
    await turn();
    endsAt = performance.now() + TURN_MS;
  }
  if (chunk !== "") yield chunk;
}

/** Filling 12 MB of new memory at a stretch held the loop for 400 ms on two busy cores; so much takes some milliseconds. */
const JOIN_BYTES = 256 * 1024;

/** Joins the pieces of a file without holding up other requests. Each piece is taken off the list, so that its memory can be freed. */
export async function joinInTurns(pieces: Buffer[]): Promise<Buffer> {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  let turnEnd = JOIN_BYTES;
  pieces.reverse();
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    if (end >= turnEnd) {
      await turn();
      turnEnd = end + JOIN_BYTES;
    }
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextPass());
  return lastTurn;
}
