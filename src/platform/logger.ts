import { pino } from "pino";

export type Logger = pino.Logger;

/** JSON lines on standard output. Fields are identifiers, counts and durations; never a document's text. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
