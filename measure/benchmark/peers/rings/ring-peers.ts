import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process, { execPath } from "node:process";
import { lastLines, runCommand } from "../../../../src/platform/run-command.ts";
import { joinSpans, spansLength } from "../../../../src/text/span.ts";
import { findJavaHome } from "../../../../tools/stores/java-home.ts";
import { PeerMissing, type PeerText } from "../peer-job.ts";
import { readProgramLine } from "../peer-program.ts";
import { DOLOS, DOLOS_HEAP_MB } from "../peers.ts";
import type { PythonPeers } from "../python-peers.ts";
import { RUN_WORDS_MIN, SIM_TEXT_MISSING, simTextRuns } from "../sim-text.ts";
import { type MeasuredRun, measuredRun } from "./measured-run.ts";

/** Two texts with something in common, and how much: in the unit of the tool. */
export type RingPair = { readonly a: string; readonly b: string; readonly strength: number };

export type RingPeer = {
  readonly name: string;
  /** Compares all texts of one folder with each other. @throws PeerMissing; Error when it fails. */
  readonly run: (
    texts: readonly PeerText[],
  ) => Promise<Omit<MeasuredRun, "stdout"> & { readonly pairs: readonly RingPair[] }>;
};

/** The release that the program in `java` is written for. */
const JPLAG_VERSION = "6.0.0";
const JPLAG_PROGRAM = join(import.meta.dirname, "..", "java", "ListPairs.java");
const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Tools that compare a set of texts with each other. */
export function ringPeers(dataDir: string, python: PythonPeers | PeerMissing): readonly RingPeer[] {
  return [
    {
      name: "Dolos",
      run: (texts) => ofQueries(execPath, [`--max-old-space-size=${DOLOS_HEAP_MB}`, DOLOS], texts),
    },
    { name: "sim_text", run: simTextPairs },
    { name: `JPlag ${JPLAG_VERSION}`, run: (texts) => jplagPairs(dataDir, texts) },
    {
      name: "copydetect",
      run: (texts) => {
        if (python instanceof PeerMissing) throw python;
        const { command, program } = python("copydetect_prose.py");
        return ofQueries(command, [program], texts);
      },
    },
  ];
}

/** A program that answers queries is asked for each text, with all texts as sources. */
async function ofQueries(command: string, before: readonly string[], texts: readonly PeerText[]) {
  const job = join(dirname(texts[0]?.file ?? ""), "..", "job.json");
  await writeFile(job, JSON.stringify({ sources: texts, queries: texts }));
  const { stdout, ...measured } = await measuredRun(command, [...before, job], { missing: "not installed" });
  const answers = stdout.trimEnd().split("\n").map(readProgramLine);
  const pairs = answers.flatMap((answer) =>
    [...(answer?.found ?? [])].flatMap(([source, spans]) => {
      const strength = spansLength(joinSpans(spans));
      return answer === undefined || source === answer.queryName
        ? []
        : [{ a: answer.queryName, b: source, strength }];
    }),
  );
  return { ...measured, pairs };
}

async function simTextPairs(texts: readonly PeerText[]) {
  const nameOf = new Map(texts.map(({ name, file }) => [file, name]));
  // As for a single text, but each text against all others.
  const args = ["-i", "-n", "-e", "-T", "-r", String(RUN_WORDS_MIN)];
  const input = `${texts.map(({ file }) => file).join("\n")}\n`;
  const { stdout, ...measured } = await measuredRun("sim_text", args, { input, missing: SIM_TEXT_MISSING });
  const words = new Map<string, RingPair>();
  for (const run of simTextRuns(stdout)) {
    const [a, b] = [run.file, run.sourceFile].map((file) => nameOf.get(file) ?? file).toSorted();
    if (a === undefined || b === undefined || a === b) continue;
    const key = `${a} ${b}`;
    words.set(key, { a, b, strength: (words.get(key)?.strength ?? 0) + run.words });
  }
  return { ...measured, pairs: [...words.values()] };
}

async function jplagPairs(dataDir: string, texts: readonly PeerText[]) {
  const { home } = findJavaHome(process.env, () => true);
  const classPath = join(await fetchJplag(dataDir), "*");
  const { stdout, ...measured } = await measuredRun(
    join(home, "bin", "java"),
    ["-cp", classPath, JPLAG_PROGRAM, dirname(texts[0]?.file ?? "")],
    { missing: "not run; it takes a Java development kit" },
  );
  const pairs = stdout
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((parts) => parts.length === 3)
    .map(([a = "", b = "", tokens]) => ({ a, b, strength: Number(tokens) }));
  return { ...measured, pairs };
}

/** The folder with the jars of JPlag's core and its module for text, which Maven fetches once. @throws PeerMissing */
async function fetchJplag(dataDir: string): Promise<string> {
  const folder = resolve(dataDir, "peers", `jplag-${JPLAG_VERSION}`);
  const jars = join(folder, "jars");
  await mkdir(folder, { recursive: true });
  const dependencies = ["jplag", "text"].map(
    (artifact) =>
      `<dependency><groupId>de.jplag</groupId><artifactId>${artifact}</artifactId><version>${JPLAG_VERSION}</version></dependency>`,
  );
  const project = `<project><modelVersion>4.0.0</modelVersion><groupId>peers</groupId><artifactId>peers</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join("")}</dependencies></project>`;
  await writeFile(join(folder, "pom.xml"), project);
  const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${jars}`];
  const options = { timeoutMs: FETCH_TIMEOUT_MS, cwd: folder };
  const result = await runCommand("mvn", ["-q", "-B", ...copy], options);
  if (!result.ok) throw new PeerMissing(`not installed; Maven says: ${lastLines(result.stdout, 2)}`);
  return jars;
}
