import process from "node:process";
import { addAbortSignal } from "node:stream";
import { explainError, readCommand, stopSignal } from "../../platform/terminal/command.ts";
import { ProgressDisplay } from "../../platform/terminal/progress.ts";
import { styleFor, visibleJson, visibleText } from "../../platform/terminal/terminal-text.ts";
import {
  CheckFailedError,
  createEngineClient,
  type EngineClient,
  ProblemError,
  type ProgressEvent,
  type Report,
  UnreachableError,
} from "../index.ts";
import { presentReport } from "./present-report.ts";
import { FileError, fileAt, fullPath, nameOf, STANDARD_INPUT, upToLimit } from "./read-file.ts";
import { type CheckRequest, readRequest, USAGE } from "./read-request.ts";
import { checkTogether } from "./together-command.ts";

/** A file is over the limit; a file could not be checked; Ctrl-C, with the status that shells use. */
const OVER_STATUS = 1;
const FAILURE_STATUS = 2;
const INTERRUPTED_STATUS = 130;

/** A readable line width where the output is not a terminal. */
const COLUMNS_ELSEWHERE = 120;

/** Checks the files in the arguments with a running service, prints the results and sets the exit status. */
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
  const { files, together } = request;
  if (together !== undefined) return checkTogether(client, { ...request, together, signal });
  if (files.includes("-") && process.stdin.isTTY)
    process.stderr.write("Reading standard input; end with Ctrl-D.\n");
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

/** Why the service can't check anything; undefined when it can. */
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
      return `No service answers at ${baseUrl}. Start it with npm start in its folder, or give another address with --url or ENGINE_URL.`;
    if (error instanceof ProblemError)
      return `The server at ${baseUrl} is not Similarity Check, or a proxy answers in its place: ${error.title} (${error.status}).`;
    throw error;
  }
}

/** Progress counts the parts of the text of a single file, or the files when there are several. */
function progressOf(files: readonly string[], checked: readonly CheckedFile[], display: ProgressDisplay) {
  const isAlone = files.length === 1;
  const failed = () => checked.filter(({ outcome }) => outcome.kind === "failure").length;
  return (file: string, { stage, chunks_done, chunks_total }: ProgressEvent) => {
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

/** Results go to the standard output, everything else to the standard error. */
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

/** Prints the notices that are easy to miss in the results, and returns the exit status. */
function conclude(checked: readonly CheckedFile[], { baseUrl, failOver }: CheckRequest): number {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const isStopped = checked.some(({ outcome }) => outcome.kind === "stopped");
  if (isStopped) say("Stopped.");
  for (const { file, checkId, outcome } of checked) {
    if (outcome.kind === "stopped" && checkId !== undefined)
      say(`${nameOf(file)}: the check continues in the service: ${checkUrl(baseUrl, checkId)}`);
  }
  const over = checked.flatMap(({ file, outcome }) => {
    const pct = outcome.kind === "report" ? outcome.report.overall_similarity_pct : 0;
    return failOver !== undefined && pct > failOver ? [`${nameOf(file)} (${pct.toFixed(2)}%)`] : [];
  });
  if (over.length > 0) say(`Over ${failOver}%: ${over.join(", ")}`);
  const unsure = failOver === undefined ? [] : checked.filter((one) => isUnsure(one, failOver));
  for (const { file } of unsure)
    say(
      `${nameOf(file)}: only part of the text was checked, so it may be over ${failOver}%. Check it again.`,
    );
  if (isStopped) return INTERRUPTED_STATUS;
  if (checked.some(({ outcome }) => outcome.kind === "failure") || unsure.length > 0) return FAILURE_STATUS;
  return over.length > 0 ? OVER_STATUS : 0;
}

/** Whether a file is under the limit only because its check is partial. */
function isUnsure({ outcome }: CheckedFile, limit: number): boolean {
  if (outcome.kind !== "report") return false;
  const { coverage, overall_similarity_pct: pct } = outcome.report;
  return coverage !== "full" && pct <= limit;
}

function checkUrl(baseUrl: string, checkId: string): string {
  return `${baseUrl}/checks/${checkId}`;
}

/** Escapes control characters that a message quotes from elsewhere; its own line ends stay. */
function visibleLines(message: string): string {
  return message.split("\n").map(visibleText).join("\n");
}

/** A reader of the output, such as `head`, may stop early: that is not a failure. */
function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

/** A worker runs as many checks at once by default; more would only wait in the queue. */
const FILES_AT_ONCE = 2;

type CheckedFile = {
  readonly file: string;
  /** Undefined when it was not submitted. */
  readonly checkId: string | undefined;
  readonly outcome:
    | { readonly kind: "report"; readonly report: Report }
    | { readonly kind: "failure"; readonly code: string; readonly message: string }
    /** Stopped by the signal; a submitted check continues in the service. */
    | { readonly kind: "stopped" };
};

type CheckFilesRequest = Pick<CheckRequest, "files" | "language" | "title" | "filters"> & {
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: ProgressEvent) => void;
};

/** Checks files, a few at a time, and yields their outcomes in the order of the files. A failure stops no other file. */
async function* checkFiles(
  client: EngineClient,
  { files, ...request }: CheckFilesRequest,
): AsyncGenerator<CheckedFile> {
  const waiting = [...files];
  const running: Promise<CheckedFile>[] = [];
  for (;;) {
    for (const file of waiting.splice(0, FILES_AT_ONCE - running.length))
      running.push(checkFile(client, file, request));
    const first = running.shift();
    if (first === undefined) return;
    yield await first;
  }
}

async function checkFile(
  client: EngineClient,
  file: string,
  { language, title, filters, signal, onProgress }: Omit<CheckFilesRequest, "files">,
): Promise<CheckedFile> {
  let checkId: string | undefined;
  try {
    signal.throwIfAborted();
    const report = await client.check(await readFile(file, signal), {
      language,
      title,
      report: filters,
      signal,
      onSubmitted(submitted) {
        checkId = submitted;
      },
      onProgress: (progress) => onProgress(file, progress),
    });
    return { file, checkId, outcome: { kind: "report", report } };
  } catch (error) {
    if (signal.aborted) return { file, checkId, outcome: { kind: "stopped" } };
    return { file, checkId, outcome: { kind: "failure", ...failureOf(error) } };
  }
}

/** @throws unexpected errors unchanged. */
function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof ProblemError) {
    const faults = error.errors.map(({ field, message }) => `${field} ${message}`);
    return { code: error.code, message: faults.length > 0 ? `${faults.join("; ")}.` : error.detail };
  }
  if (error instanceof CheckFailedError) return { code: `check_${error.status}`, message: error.message };
  if (error instanceof UnreachableError) return { code: "unreachable", message: `${error.message}.` };
  if (error instanceof FileError) return { code: "unreadable_file", message: error.message };
  throw error;
}

/** Reads a file, or the standard input for `-`, as it is sent to the service. @throws FileError */
async function readFile(path: string, signal: AbortSignal): Promise<File> {
  // The standard input may never end.
  if (path === "-") return new File(await upToLimit(addAbortSignal(signal, process.stdin)), STANDARD_INPUT);
  return fileAt(fullPath(path));
}
