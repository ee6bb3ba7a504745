import { setImmediate as nextPass } from "node:timers/promises";

/** The last turn that was asked for. The event loop belongs to the whole process, and so does the order of the turns. */
let lastTurn: Promise<void> = Promise.resolve();

/** Lets the event loop do whatever else is waiting. Callers at the same time get one pass of the loop each. */
export function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextPass());
  return lastTurn;
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
