import { parseArgs } from "node:util";
import type { GetReportQuery, Passage } from "../client/index.ts";
import { UsageError } from "../platform/terminal/command.ts";
import { type EngineAddress, engineAddress } from "./engine-address.ts";

export const USAGE = `Usage: npm run check -- FILE… [options], or as a program of the package: similarity-check FILE… [options]

Checks files (PDF, DOCX or text; - for the standard input) with a service that runs, and shows what they share with
its corpus. The exit status is 0; 1 when a file is over the limit of --fail-over; 2 when one could not be checked, or only
against a part of the corpus where there is a limit, or the call was wrong; 130 after Ctrl-C.

  --url URL               the service; by default ENGINE_URL, or where HOST and ENGINE_PORT let it listen
  --language CODE         the language of the files, an ISO 639-1 code; en by default
  --title TITLE           a name for the check of one file; by default the file's
  --fail-over PCT         the largest share that passes, 0 to 100, after the filters
  --exclude-quotes        leaves out text in quotation marks and block quotes
  --exclude-bibliography  leaves out lists of references
  --min-words N           leaves out passages of fewer words
  --exclude-sources IDS   leaves out these documents, comma-separated
  --match-types TYPES     keeps only these: identical, minor_changes, paraphrased
  --all                   shows every source and passage
  --json                  prints one line of JSON for each file: file, check_id, url, and report or error`;

export type CheckRequest = EngineAddress & {
  readonly files: readonly string[];
  readonly language: string | undefined;
  readonly title: string | undefined;
  readonly filters: GetReportQuery;
  readonly failOver: number | undefined;
  readonly all: boolean;
  readonly json: boolean;
};

const MATCH_TYPES = [
  "identical",
  "minor_changes",
  "paraphrased",
] as const satisfies readonly Passage["match_type"][];

/** @throws UsageError that says what is wrong with the call, before anything is sent; ConfigError */
export function readRequest(
  args: string[],
  environment: Readonly<Record<string, string | undefined>>,
): CheckRequest {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: "string" },
      language: { type: "string" },
      title: { type: "string" },
      "fail-over": { type: "string" },
      "exclude-quotes": { type: "boolean" },
      "exclude-bibliography": { type: "boolean" },
      "min-words": { type: "string" },
      "exclude-sources": { type: "string", multiple: true },
      "match-types": { type: "string", multiple: true },
      all: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (files.length === 0) throw new UsageError("Which files? None is named.");
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("The standard input can be read only once.");
  if (values.title !== undefined && files.length > 1)
    throw new UsageError("--title is for one file; several keep their names.");
  return {
    ...engineAddress(values.url, environment),
    files,
    language: values.language,
    title: values.title,
    filters: {
      exclude_quotes: values["exclude-quotes"],
      exclude_bibliography: values["exclude-bibliography"],
      min_words: wholeNumber("--min-words", values["min-words"]),
      exclude_sources: list(values["exclude-sources"])?.map(documentId),
      match_types: list(values["match-types"])?.map(matchType),
    },
    failOver: percentage("--fail-over", values["fail-over"]),
    all: values.all,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`${name} must be a whole number from 0 to 999999, and is "${text}".`);
}

function percentage(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?%?$/.test(text) ? Number(text.replace("%", "")) : Number.NaN;
  if (value <= 100) return value;
  throw new UsageError(`${name} must be a number from 0 to 100, and is "${text}".`);
}

function list(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.flatMap((text) => text.split(",")).map((text) => text.trim());
}

function matchType(text: string): Passage["match_type"] {
  const type = MATCH_TYPES.find((one) => one === text);
  if (type !== undefined) return type;
  throw new UsageError(`--match-types knows ${MATCH_TYPES.join(", ")}, and not "${text}".`);
}

/** The service would say so as well, but only when the check is done. */
function documentId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new UsageError(`--exclude-sources wants identifiers of documents, and "${text}" is none.`);
}
