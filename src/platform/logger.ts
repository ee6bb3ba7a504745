import { pino } from "pino";

export type Logger = pino.Logger;

const FILE_DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** JSON lines. Fields are identifiers, counts and durations; never a document's text. */
export function createLogger(level: string, stream: keyof typeof FILE_DESCRIPTORS = "stdout"): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, pino.destination({ fd: FILE_DESCRIPTORS[stream], sync: true }));
}
