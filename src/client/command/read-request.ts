import { parseArgs } from "node:util";
import { UsageError } from "../../platform/terminal/command.ts";
import type { GetReportQuery, Passage } from "../index.ts";

export const USAGE = `Usage: npm run check -- FILE… [options]
       similarity-check FILE… [options], where the package is installed
       npm run check -- --together FOLDER… [options]

Checks files (PDF, DOCX or text; - for standard input) with a running service, and shows which parts also appear
in its corpus. Exit status: 0; 1 when a file is over the limit of --fail-over; 2 when a file could not be checked, or
only in part and there is a limit, or the arguments were wrong; 130 after Ctrl-C.

  --url URL               address of the service; default: ENGINE_URL, or the address that HOST and ENGINE_PORT set
  --language CODE         language of the files, an ISO 639-1 code; default: detected
  --title TITLE           title of the check, for a single file; default: the file name
  --fail-over PCT         highest similarity that passes, 0 to 100, after the filters
  --exclude-quotes        exclude text in quotation marks and block quotes
  --exclude-bibliography  exclude the bibliography
  --min-words N           exclude passages of fewer words
  --exclude-sources IDS   exclude these documents, comma-separated
  --match-types TYPES     include only these: identical, minor_changes, paraphrased
  --all                   show every source and passage, or every pair
  --json                  print one line of JSON per file: file, check_id, url, and report or error

With --together, the files and those in the folders are compared with each other. The exit status is 1 when a pair is over the
limit, shown or not, and 2 when a file could not be read; the others are compared. --json prints the report of the batch, and
lists the files that could not be sent in "unreadable". --language and --title apply to all files.
Quotations and text that many files share don't count. The options that exclude text or passages are for single files.

  --template FILE         text that was handed out, which is not compared; can be repeated
  --group-by-folder       do not compare files of one folder, for example drafts by one author
  --min-similarity PCT    lowest similarity of the pairs shown, a whole number; default: 3
  --include-quotes        count quotations
  --include-common        count text that many files share
  --csv                   print the pairs as CSV`;

const OF_CHECKS = [
  "exclude-quotes",
  "exclude-bibliography",
  "min-words",
  "exclude-sources",
  "match-types",
] as const;

const OF_TOGETHER = [
  "template",
  "group-by-folder",
  "min-similarity",
  "include-quotes",
  "include-common",
  "csv",
] as const;

export type CheckRequest = EngineAddress & {
  readonly files: readonly string[];
  readonly language: string | undefined;
  readonly title: string | undefined;
  readonly filters: GetReportQuery;
  readonly failOver: number | undefined;
  readonly all: boolean;
  readonly json: boolean;
  /** Undefined unless the files are compared with each other. */
  readonly together: TogetherRequest | undefined;
};

/** Options that apply only to files that are compared with each other. */
export type TogetherRequest = {
  readonly templates: readonly string[];
  readonly groupByFolder: boolean;
  readonly csv: boolean;
  readonly minSimilarity: number | undefined;
  readonly includeQuotes: boolean;
  readonly includeCommon: boolean;
};

const MATCH_TYPES = [
  "identical",
  "minor_changes",
  "paraphrased",
] as const satisfies readonly Passage["match_type"][];

/** @throws UsageError for wrong arguments, before anything is sent. */
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
      together: { type: "boolean", default: false },
      template: { type: "string", multiple: true },
      "group-by-folder": { type: "boolean" },
      "min-similarity": { type: "string" },
      "include-quotes": { type: "boolean" },
      "include-common": { type: "boolean" },
      csv: { type: "boolean" },
    },
  });
  if (files.length === 0) throw new UsageError("Name at least one file.");
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("Standard input can be read only once.");
  const misplaced = (values.together ? OF_CHECKS : OF_TOGETHER).find((name) => values[name] !== undefined);
  if (misplaced !== undefined)
    throw new UsageError(
      values.together ? `--${misplaced} does not work with --together.` : `--${misplaced} needs --together.`,
    );
  if (values.together && files.includes("-"))
    throw new UsageError("--together reads files and folders, not standard input.");
  if (values.json && values.csv === true) throw new UsageError("Choose --json or --csv.");
  if (values.title !== undefined && files.length > 1 && !values.together)
    throw new UsageError("--title works with a single file only.");
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
    together: values.together
      ? {
          templates: values.template ?? [],
          groupByFolder: values["group-by-folder"] === true,
          csv: values.csv === true,
          minSimilarity: wholeNumber("--min-similarity", values["min-similarity"]),
          includeQuotes: values["include-quotes"] === true,
          includeCommon: values["include-common"] === true,
        }
      : undefined,
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`${name} must be a whole number from 0 to 999999, not "${text}".`);
}

function percentage(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?%?$/.test(text) ? Number(text.replace("%", "")) : Number.NaN;
  if (value <= 100) return value;
  throw new UsageError(`${name} must be a number from 0 to 100, not "${text}".`);
}

function list(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.flatMap((text) => text.split(",")).map((text) => text.trim());
}

function matchType(text: string): Passage["match_type"] {
  const type = MATCH_TYPES.find((one) => one === text);
  if (type !== undefined) return type;
  throw new UsageError(`--match-types must be one or more of ${MATCH_TYPES.join(", ")}, not "${text}".`);
}

/** The service validates this too, but only after the check. */
function documentId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new UsageError(`--exclude-sources must list document identifiers; "${text}" is not one.`);
}

type EngineAddress = {
  /** Without user and password, so that it may be shown. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The address of the service. A user and a password in it are sent as Basic authentication. @throws UsageError */
function engineAddress(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): EngineAddress {
  const [name, text] =
    given === undefined
      ? ["ENGINE_URL", environment.ENGINE_URL?.trim() || ownAddress(environment)]
      : ["--url", given];
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${name} must be a URL that starts with http:// or https://, not "${text}".`);
  const url = new URL(text);
  const headers = credentials(name, url);
  url.username = "";
  url.password = "";
  return { baseUrl: url.href.replace(/\/+$/, ""), headers };
}

function credentials(name: string, { username, password }: URL): EngineAddress["headers"] {
  if (username === "" && password === "") return {};
  try {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { Authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  } catch {
    throw new UsageError(`Write a percent sign in the user or password of ${name} as %25.`);
  }
}

const PORT_MAX = 65_535;

/**
 * The address that a service on this machine has with these settings. A service may listen on all addresses of the machine;
 * this one reaches it locally.
 */
function ownAddress(environment: Readonly<Record<string, string | undefined>>): string {
  const host = environment.HOST?.trim() || "127.0.0.1";
  const enginePort = Number(environment.ENGINE_PORT?.trim() || 8080);
  if (!Number.isInteger(enginePort) || enginePort < 0 || enginePort > PORT_MAX)
    throw new UsageError(`ENGINE_PORT must be a whole number from 0 to ${PORT_MAX}.`);
  if (enginePort === 0)
    throw new UsageError("With ENGINE_PORT=0 the service chooses its own port: give its address with --url.");
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${enginePort}`;
}
