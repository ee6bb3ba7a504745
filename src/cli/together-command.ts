import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import process from "node:process";
import {
  type BatchReport,
  CheckFailedError,
  type EngineClient,
  ProblemError,
  UnreachableError,
} from "../client/index.ts";
import { ProgressDisplay } from "../platform/terminal/progress.ts";
import {
  fitColumns,
  padColumns,
  styleFor,
  visibleJson,
  visibleText,
} from "../platform/terminal/terminal-text.ts";
import { counted } from "./present-report.ts";
import { FileError, fileAt, fullPath } from "./read-file.ts";
import type { CheckRequest, TogetherRequest } from "./read-request.ts";

/** A pair is over the limit; a file could not be read or the batch not be compared; Ctrl-C. */
const OVER_STATUS = 1;
const FAILURE_STATUS = 2;
const INTERRUPTED_STATUS = 130;

/** A screenful; --all shows the rest. */
const PAIRS_SHOWN = 30;
const PAIRS_MAX = 1_000;

/** A readable line width where the output is not a terminal. */
const COLUMNS_ELSEWHERE = 120;

type Request = CheckRequest & { readonly together: TogetherRequest; readonly signal: AbortSignal };

/** Compares files with each other, prints the pairs and returns the exit status. */
export async function checkTogether(client: EngineClient, request: Request): Promise<number> {
  const { signal, language, title, together, baseUrl } = request;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const display = new ProgressDisplay(process.stderr, { unit: "files", showsRate: false });
  let batchId: string | undefined;
  try {
    const files = await readAll(request.files);
    const templates = await Promise.all(together.templates.map((path) => fileAt(fullPath(path))));
    if (files.length < 2) throw new FileError("Name at least two files, or a folder with them.");
    const report = await client.checkTogether(files, {
      ...{ language, title, templates, signal },
      groupByFolder: together.groupByFolder,
      report: reportQuery(request),
      onSubmitted(submitted) {
        batchId = submitted;
      },
      onProgress: ({ status, members_total, members_read, members_compared, members_failed }) =>
        display.update({
          at: status,
          done: status === "reading" ? members_read : members_compared,
          total: members_total,
          totalIsFinal: true,
          failed: members_failed,
        }),
    });
    display.close();
    await print(client, report, request);
    return conclude(report, request.failOver, say);
  } catch (error) {
    display.close();
    if (signal.aborted) {
      say("Stopped.");
      if (batchId !== undefined) say(`The batch continues in the service: ${baseUrl}/batches/${batchId}`);
      return INTERRUPTED_STATUS;
    }
    say(visibleText(messageOf(error)));
    return FAILURE_STATUS;
  }
}

/** @throws unexpected errors unchanged. */
function messageOf(error: unknown): string {
  if (error instanceof ProblemError) return error.detail;
  if (error instanceof UnreachableError) return `${error.message}.`;
  if (error instanceof FileError || error instanceof CheckFailedError) return error.message;
  throw error;
}

function reportQuery({ together }: Pick<Request, "together">) {
  const { minSimilarity, includeQuotes, includeCommon } = together;
  return {
    limit: PAIRS_MAX,
    exclude_quotes: !includeQuotes,
    exclude_common: !includeCommon,
    min_similarity: minSimilarity,
  };
}

async function readAll(paths: readonly string[]): Promise<File[]> {
  const files: File[] = [];
  for (const path of paths) {
    const full = fullPath(path);
    if (!(await isFolder(full))) files.push(await fileAt(full));
    else for (const [file, name] of await filesIn(full)) files.push(await fileAt(file, name));
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The files in a folder and its folders, without hidden ones, with their paths below it. */
async function filesIn(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): [string, string] => [file, relative(folder, file).split(sep).join("/")])
    .filter(([, name]) => !name.split("/").some((part) => part.startsWith(".")))
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
}

async function print(client: EngineClient, report: BatchReport, request: Request): Promise<void> {
  const { json, together, all, baseUrl, signal } = request;
  if (json) {
    process.stdout.write(`${visibleJson({ url: `${baseUrl}/batches/${report.batch_id}`, report })}\n`);
  } else if (together.csv) {
    const { limit: _, ...query } = reportQuery(request);
    process.stdout.write(await client.getBatchPairsCsv(report.batch_id, query, { signal }));
  } else {
    process.stdout.write(`${lines(report, all, `${baseUrl}/batches/${report.batch_id}`).join("\n")}\n`);
  }
}

function lines(report: BatchReport, all: boolean, url: string): string[] {
  const style = styleFor(process.stdout, process.env);
  const columns = process.stdout.columns ?? COLUMNS_ELSEWHERE;
  const shown = report.pairs.slice(0, all ? PAIRS_MAX : PAIRS_SHOWN);
  const width = Math.max(20, Math.floor((columns - 40) / 2));
  const row = (cells: readonly string[]) => `  ${cells.join("  ")}`;
  const name = (text: string) => padColumns(fitColumns(visibleText(text), width), width);
  const percent = (value: number) => `${value.toFixed(2)}%`.padStart(8);
  const left = report.pairs_total - shown.length;
  return [
    style(
      "bold",
      `${counted(report.members_total, "file")}, ${counted(report.pairs_total, "pair")} of at least ${report.min_similarity}%`,
    ),
    ...report.clusters
      .slice(0, PAIRS_SHOWN)
      .map(
        ({ members }, at) =>
          `  Group ${at + 1}: ${members.map((member) => visibleText(member.name)).join(", ")}`,
      ),
    "",
    ...(shown.length === 0
      ? []
      : [style("dim", row([name("File"), "   Share", name("File"), "   Share", "Longest passage"]))]),
    ...shown.map(({ a, b, longest_passage_chars }) =>
      row([
        name(a.name),
        percent(a.similarity_pct),
        name(b.name),
        percent(b.similarity_pct),
        `${longest_passage_chars} characters`,
      ]),
    ),
    ...(left > 0 ? [style("dim", `  and ${counted(left, "more pair")}`)] : []),
    "",
    `  ${style("dim", "Report:")} ${url}`,
  ];
}

/** Prints what is easy to miss, and returns the exit status. */
function conclude(report: BatchReport, failOver: number | undefined, say: (line: string) => void): number {
  for (const { name, error_message } of report.unreadable)
    say(`${visibleText(basename(name))}: ${visibleText(error_message ?? "")}`);
  const [highest] = report.pairs;
  const isOver = failOver !== undefined && highest !== undefined && highest.similarity_pct > failOver;
  if (isOver) {
    const over = report.pairs.filter((pair) => pair.similarity_pct > failOver);
    say(`Over ${failOver}%: ${counted(over.length, "pair")}`);
  }
  if (report.unreadable.length > 0) return FAILURE_STATUS;
  return isOver ? OVER_STATUS : 0;
}
