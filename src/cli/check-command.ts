import process from "node:process";
import { createEngineClient, type EngineClient, ProblemError, UnreachableError } from "../client/index.ts";
import { explainError, readCommand, stopSignal } from "../platform/terminal/command.ts";
import { ProgressDisplay } from "../platform/terminal/progress.ts";
import { styleFor, visibleJson, visibleText } from "../platform/terminal/terminal-text.ts";
import { type CheckedFile, checkFiles } from "./check-files.ts";
import { presentReport } from "./present-report.ts";
import { STANDARD_INPUT } from "./read-file.ts";
import { type CheckRequest, readRequest, USAGE } from "./read-request.ts";

/** A file is over the limit; one could not be checked; Ctrl-C, as shells do it. */
const OVER_STATUS = 1;
const FAILURE_STATUS = 2;
const INTERRUPTED_STATUS = 130;

/** Where the output is no terminal, lines of a width that people can read. */
const COLUMNS_ELSEWHERE = 120;

/** Checks the files that the arguments name with a service that runs; prints results and sets the exit status. */
export async function checkCommand(): Promise<void> {
  endWithReader();
  try {
    const request = await readCommand(USAGE, (args) => readRequest(args, process.env));
    if (request !== undefined) process.exitCode = await runChecks(request);
  } catch (error) {
    process.stderr.write(`${visibleLines(explainError(error))}\n`);
    process.exitCode = FAILURE_STATUS;
  }
}

async function runChecks(request: CheckRequest): Promise<number> {
  const signal = stopSignal();
  const client = createEngineClient(request);
  const absence = await absenceOf(client, request.baseUrl, signal);
  if (absence !== undefined) {
    process.stderr.write(`${visibleLines(absence)}\n`);
    return signal.aborted ? INTERRUPTED_STATUS : FAILURE_STATUS;
  }
  const { files } = request;
  if (files.includes("-") && process.stdin.isTTY)
    process.stderr.write("Reading the standard input; Ctrl-D ends it.\n");
  const unit = files.length > 1 ? "files" : "parts";
  const display = new ProgressDisplay(process.stderr, { unit, showsRate: false });
  const checked: CheckedFile[] = [];
  try {
    const onProgress = progressOf(files, checked, display);
    for await (const one of checkFiles(client, { ...request, signal, onProgress })) {
      checked.push(one);
      display.clear();
      printChecked(one, request);
    }
  } finally {
    display.close();
  }
  return conclude(checked, request);
}

/** Why no check can be made there; undefined when it can. */
async function absenceOf(
  client: EngineClient,
  baseUrl: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { ready, checks } = await client.getReadiness({ signal });
    if (ready) return undefined;
    const faults = Object.entries(checks).filter(([, state]) => state !== "ok");
    return `The service at ${baseUrl} is not ready: ${faults.map(([part, state]) => `${part} ${state}`).join(", ")}. Try again in a moment.`;
  } catch (error) {
    if (signal.aborted) return "Stopped before anything was submitted.";
    if (error instanceof UnreachableError)
      return `No service answers at ${baseUrl}. Start it with npm start in its folder, or name another one with --url or ENGINE_URL.`;
    if (error instanceof ProblemError)
      return `What answers at ${baseUrl} is no Similarity Check, or something stands before it: ${error.title} (${error.status}).`;
    throw error;
  }
}

/** One file is shown by the parts of its text, several by how many are done. */
function progressOf(files: readonly string[], checked: readonly CheckedFile[], display: ProgressDisplay) {
  const isAlone = files.length === 1;
  const failed = () => checked.filter(({ outcome }) => outcome.kind === "failure").length;
  return (
    file: string,
    { stage, chunks_done, chunks_total }: { stage: string | null; chunks_done: number; chunks_total: number },
  ) => {
    const at = stage ?? "waiting";
    display.update({
      at: isAlone ? at : `${nameOf(file)}, ${at}`,
      done: isAlone ? chunks_done : checked.length,
      total: isAlone ? chunks_total : files.length,
      totalIsFinal: !isAlone || chunks_total > 0,
      failed: failed(),
    });
  };
}

/** Results go to the standard output, whatever else there is to say to the standard error. */
function printChecked({ file, checkId, outcome }: CheckedFile, request: CheckRequest): void {
  const { baseUrl, json, all, failOver } = request;
  const url = checkId === undefined ? null : checkUrl(baseUrl, checkId);
  const about = { file, check_id: checkId ?? null, url };
  if (outcome.kind === "report" && json) printLine(visibleJson({ ...about, report: outcome.report }));
  else if (outcome.kind === "report") {
    const style = styleFor(process.stdout, process.env);
    const columns = process.stdout.columns ?? COLUMNS_ELSEWHERE;
    const lines = presentReport(nameOf(file), outcome.report, {
      style,
      columns,
      all,
      failOver,
      url: url ?? "",
    });
    process.stdout.write(`${lines.join("\n")}\n\n`);
  } else if (outcome.kind === "failure") {
    const { code, message } = outcome;
    if (json) printLine(visibleJson({ ...about, error: { code, message } }));
    process.stderr.write(`${`${nameOf(file)}: ${visibleText(message)}`}\n`);
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Says what a glance at the results may miss, and gives the exit status. */
function conclude(checked: readonly CheckedFile[], { baseUrl, failOver }: CheckRequest): number {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const isStopped = checked.some(({ outcome }) => outcome.kind === "stopped");
  if (isStopped) say("Stopped.");
  for (const { file, checkId, outcome } of checked) {
    if (outcome.kind === "stopped" && checkId !== undefined)
      say(`${nameOf(file)}: the check goes on in the service, ${checkUrl(baseUrl, checkId)}`);
  }
  const over = checked.flatMap(({ file, outcome }) => {
    const pct = outcome.kind === "report" ? outcome.report.overall_similarity_pct : 0;
    return failOver !== undefined && pct > failOver ? [`${nameOf(file)} (${pct.toFixed(2)}%)`] : [];
  });
  if (over.length > 0) say(`Over ${failOver}%: ${over.join(", ")}`);
  const unsure = failOver === undefined ? [] : checked.filter((one) => isUnsure(one, failOver));
  for (const { file } of unsure)
    say(
      `${nameOf(file)}: only a part of the corpus was searched, so it may be over ${failOver}%. Check it again.`,
    );
  if (isStopped) return INTERRUPTED_STATUS;
  if (checked.some(({ outcome }) => outcome.kind === "failure") || unsure.length > 0) return FAILURE_STATUS;
  return over.length > 0 ? OVER_STATUS : 0;
}

/** Whether a file that is under the limit might be over it, had the whole corpus been searched. */
function isUnsure({ outcome }: CheckedFile, limit: number): boolean {
  if (outcome.kind !== "report") return false;
  const { coverage, overall_similarity_pct: pct } = outcome.report;
  return coverage !== "full" && pct <= limit;
}

function nameOf(file: string): string {
  return file === "-" ? STANDARD_INPUT : visibleText(file);
}

function checkUrl(baseUrl: string, checkId: string): string {
  return `${baseUrl}/checks/${checkId}`;
}

/** A message may quote what came from elsewhere; its own line ends stay. */
function visibleLines(message: string): string {
  return message.split("\n").map(visibleText).join("\n");
}

/** Whoever reads the output, such as `head`, may have read enough: that is no failure to speak of. */
function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
