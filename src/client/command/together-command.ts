import process from "node:process";
import { ProgressDisplay } from "../../platform/terminal/progress.ts";
import {
  columnsOf,
  fitColumns,
  padColumns,
  styleFor,
  visibleJson,
  visibleText,
} from "../../platform/terminal/terminal-text.ts";
import {
  type BatchReport,
  CheckFailedError,
  type EngineClient,
  ProblemError,
  UnreachableError,
} from "../index.ts";
import { counted } from "./present-report.ts";
import { FileError, fileAt, fullPath, gatherFiles, type UnreadableFile } from "./read-file.ts";
import type { CheckRequest, TogetherRequest } from "./read-request.ts";

/** A pair is over the limit; a file could not be read or the batch not be compared; Ctrl-C. */
const OVER_STATUS = 1;
const FAILURE_STATUS = 2;
const INTERRUPTED_STATUS = 130;

/** A screenful; --all shows the rest. */
const PAIRS_SHOWN = 30;
const PAIRS_MAX = 1_000;

type Request = CheckRequest & { readonly together: TogetherRequest; readonly signal: AbortSignal };

/** Compares files with each other, prints the pairs and returns the exit status. */
export async function checkTogether(client: EngineClient, request: Request): Promise<number> {
  const { signal, language, title, together, baseUrl } = request;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const display = new ProgressDisplay(process.stderr, { unit: "files", showsRate: false });
  let batchId: string | undefined;
  try {
    const { files, unreadable } = await gatherFiles(request.files);
    const templates = await Promise.all(together.templates.map(templateAt));
    for (const { path, message } of unreadable) say(`${visibleText(path)}: ${visibleText(message)}`);
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
    await print(client, report, unreadable, request);
    for (const { name, error_message } of report.unreadable)
      say(`${visibleText(name)}: ${visibleText(error_message ?? "")}`);
    const over = await pairsOver(client, report, request);
    if (over !== undefined) say(`Over ${request.failOver}%: ${over}`);
    if (unreadable.length + report.unreadable.length > 0) return FAILURE_STATUS;
    return over === undefined ? 0 : OVER_STATUS;
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

/** @throws FileError that names the template, without which the pairs would be wrong. */
async function templateAt(path: string): Promise<File> {
  try {
    return await fileAt(fullPath(path));
  } catch (error) {
    throw error instanceof FileError ? new FileError(`${path}: ${error.message}`, { cause: error }) : error;
  }
}

async function print(
  client: EngineClient,
  report: BatchReport,
  unreadable: readonly UnreadableFile[],
  request: Request,
): Promise<void> {
  const { json, together, all, baseUrl, signal } = request;
  const url = `${baseUrl}/batches/${report.batch_id}`;
  if (json) {
    const failures = unreadable.map(({ path, message }) => ({
      file: path,
      error: { code: "unreadable_file", message },
    }));
    process.stdout.write(`${visibleJson({ url, unreadable: failures, report })}\n`);
  } else if (together.csv) {
    const { limit: _, ...query } = reportQuery(request);
    process.stdout.write(await client.getBatchPairsCsv(report.batch_id, query, { signal }));
  } else {
    process.stdout.write(`${lines(report, unreadable, all, url).join("\n")}\n`);
  }
}

function lines(
  report: BatchReport,
  unreadable: readonly UnreadableFile[],
  all: boolean,
  url: string,
): string[] {
  const style = styleFor(process.stdout, process.env);
  const shown = report.pairs.slice(0, all ? PAIRS_MAX : PAIRS_SHOWN);
  const width = nameColumns(shown.flatMap(({ a, b }) => [a.name, b.name]));
  const row = (cells: readonly string[]) => `  ${cells.join("  ")}`;
  const name = (text: string) => padColumns(fitName(visibleText(text), width), width);
  const percent = (value: number) => `${value.toFixed(2)}%`.padStart(8);
  const failed = [...unreadable.map(({ path }) => path), ...report.unreadable.map(({ name }) => name)];
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
    ...(failed.length > 0 ? [`  Unreadable: ${failed.map(visibleText).join(", ")}`] : []),
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

/** The width of the other cells of a row, and the minimum at which two names can be told apart. */
const OTHER_COLUMNS = 40;
const NAME_COLUMNS_MIN = 20;

/** The width of the longest name, or the space that a terminal leaves for it. A file or another program gets whole names. */
function nameColumns(names: readonly string[]): number {
  const longest = Math.max("File".length, ...names.map((name) => columnsOf(visibleText(name))));
  const { columns } = process.stdout;
  if (columns === undefined) return longest;
  return Math.min(longest, Math.max(NAME_COLUMNS_MIN, Math.floor((columns - OTHER_COLUMNS) / 2)));
}

/** Cuts a name in its middle, because paths differ in their folders or at their ends. */
function fitName(name: string, columns: number): string {
  if (columnsOf(name) <= columns) return name;
  const start = fitColumns(name, Math.ceil(columns / 2));
  let end = "";
  for (const char of [...name].toReversed()) {
    if (columnsOf(`${start}${char}${end}`) > columns) break;
    end = `${char}${end}`;
  }
  return `${start}${end}`;
}

/** How many pairs are over the limit, shown or not, in words; undefined if none is. */
async function pairsOver(
  client: EngineClient,
  report: BatchReport,
  request: Request,
): Promise<string | undefined> {
  const { failOver, signal } = request;
  if (failOver === undefined) return undefined;
  const from = (minSimilarity: number) =>
    client.getBatchReport(
      report.batch_id,
      { ...reportQuery(request), min_similarity: minSimilarity },
      { signal },
    );
  // The service takes whole percentages only.
  const whole = Math.floor(failOver);
  const { pairs, pairs_total } = report.min_similarity <= failOver ? report : await from(whole);
  const over = pairs.filter((pair) => pair.similarity_pct > failOver).length;
  if (over === 0) return undefined;
  if (over < pairs.length || over === pairs_total) return counted(over, "pair");
  // All pairs of the page are over the limit. The total at the next whole percentage counts only such pairs.
  const next = await from(whole + 1);
  return `at least ${counted(Math.max(over, next.pairs_total), "pair")}`;
}
