import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { medianOf, type PeerAnswer, type PeerJob, type PeerRun } from "./peer-job.ts";

/** Far more than the slowest peer needs on a busy machine: this only ends a program that hangs. */
const PROGRAM_TIMEOUT_MS = 15 * 60_000;

const ProgramLine = z.discriminatedUnion("event", [
  z.object({ event: z.literal("loaded") }),
  z.object({
    event: z.literal("answer"),
    query: z.string(),
    seconds: z.number(),
    found: z.array(
      z.object({ source: z.string(), spans: z.array(z.tuple([z.number(), z.number()])) }).strict(),
    ),
  }),
]);

/**
 * Gives the job to a program that loads the sources and then answers one query after the other, in lines of JSON.
 * @param args come before and after the file with the job.
 * @throws Error when it fails, with the end of its error output.
 */
export async function runPeerProgram(
  command: string,
  args: { readonly before?: readonly string[]; readonly after?: readonly string[] },
  job: PeerJob,
): Promise<PeerRun> {
  const folder = await mkdtemp(join(tmpdir(), "similarity-peer-"));
  try {
    const file = join(folder, "job.json");
    await writeFile(file, JSON.stringify(job));
    return await timedRun(command, [...(args.before ?? []), file, ...(args.after ?? [])]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timedRun(command: string, args: readonly string[]): Promise<PeerRun> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: PROGRAM_TIMEOUT_MS });
  const complaints: string[] = [];
  child.stderr.on("data", (data) => complaints.push(String(data)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // Whoever fails to start is told of by `ended`, below.
  ended.catch(() => undefined);
  const answers: PeerAnswer[] = [];
  let fromScratchSeconds = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = readProgramLine(line);
    if (answer === undefined) continue;
    if (answers.length === 0) fromScratchSeconds = (performance.now() - started) / 1000;
    answers.push(answer);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}: ${complaints.join("").trim().slice(-400)}`);
  return { fromScratchSeconds, warmSeconds: medianOf(answers.map(({ seconds }) => seconds)), answers };
}

/** The answer in a line of such a program; undefined for other messages. @throws when the line is malformed. */
export function readProgramLine(line: string): PeerAnswer | undefined {
  const said = ProgramLine.parse(JSON.parse(line));
  if (said.event === "loaded") return undefined;
  const found = said.found.map(({ source, spans }) => {
    return [source, spans.map(([start, end]) => ({ start, end }))] as const;
  });
  return { queryName: said.query, seconds: said.seconds, found: new Map(found) };
}
