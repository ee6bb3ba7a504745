import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { z } from "zod";
import { ConfigError } from "./domain-error.ts";
import { errorMessage } from "./error-code.ts";

const ROLES = ["engine", "worker", "statistics"] as const;

/** A trusted proxy: an address, or a CIDR block of addresses. */
export type ProxyRange = {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  /** Undefined for a single address. */
  readonly prefix: number | undefined;
};

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const PORT_MAX = 65_535;
const MEBIBYTE = 1024 * 1024;

/** The whole file is in memory while it is read: with a larger limit a single request could take the service down. */
const UPLOAD_LIMIT_BYTES_MAX = 256 * MEBIBYTE;

/**
 * The most that may wait, multiplied by WAITING_FACTOR:
 * - 20 uploads: files of 10 MiB take 200 MiB of memory, and two processes work through them in some ten seconds.
 * - 1,000 checks: two cores need some four minutes for texts of 1,000 words, which take a few hundred megabytes.
 * - 10,000 members of one batch: by the growth from 1,000 to 3,000 texts of 2,000 words (docs/benchmarks.md), two cores need half an
 *   hour. 20,000 members of all batches: two full ones. Files that wait are kept in PostgreSQL.
 */
const WAITING_MAX = {
  uploadsWaitingMax: 20,
  checksWaitingMax: 1_000,
  batchMembersMax: 10_000,
  membersWaitingMax: 20_000,
} as const;
const WAITING_FACTOR_MAX = 1_000;
const WAITING_FACTOR = `must be a number from 0.001 to ${WAITING_FACTOR_MAX}`;

/** OpenSearch's own limit for one index. */
const INDEX_SHARDS_MAX = 1_024;

/** Each replica survives the loss of one more node and takes the disk of the whole index again. */
const INDEX_REPLICAS_MAX = 9;

/** High enough that no client reaches it in a measurement, and within PostgreSQL's `integer`. */
const RATE_LIMIT_MAX = 100_000_000;

/** A century; for longer, leave the setting out. */
const RETENTION_DAYS_MAX = 36_500;

/** Kubernetes takes a stopping pod out of its services within a second or two. Docker kills a container 10 s after it was told to stop. */
const DRAIN_SECONDS_DEFAULT = 5;
const DRAIN_SECONDS_MAX = 3_600;

/** One process with all roles suits one machine. */
const ROLES_DEFAULT = ROLES.join(",");

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const proxyRange = z.string().transform((text, context) => {
  const range = readProxyRange(text);
  if (range !== undefined) return range;
  const message = "must be addresses or CIDR blocks, comma-separated, such as 10.0.0.0/8,2001:db8::7";
  context.issues.push({ code: "custom", input: text, message });
  return z.NEVER;
});

function url(protocols: readonly string[]) {
  const message = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message)
    .refine(isDecodable, "must have a percent sign in its user or password written as %25");
}

/** Whether the stores' clients can decode the user and the password: a password often holds a bare percent sign. */
function isDecodable(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const webAddress = url(["http:", "https:"]);

const asciiToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "must have only ASCII letters, digits and signs, without blanks");

const RETRACTION_WATCH_URL =
  "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv";

const HOST_PATTERN = /^(\*|(\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*\.?)$/i;
const HOST_NAMES =
  "must be host names without scheme and port, comma-separated, such as checks.example.org,*.example.net, or * for any";

const WORK_TYPES = "must be types of works of OpenAlex, such as article";

/** GDELT's search requires parentheses around alternatives and takes about 250 characters. */
const GDELT_QUERY =
  "(plagiarism OR plagiarised OR plagiarized) (university OR professor OR thesis OR journal OR research)";

/** The members of the file of STATISTICS_SOURCES: mirrors of the sources, and the data to request. */
const StatisticsSources = z.strictObject({
  retractionWatchUrl: webAddress.default(RETRACTION_WATCH_URL),
  openalexUrl: webAddress.default("https://api.openalex.org"),
  /** OpenAlex's types of works that count as publications. */
  openalexCountedTypes: z
    .array(z.string().regex(/^[a-z-]+$/, WORK_TYPES))
    .min(1, WORK_TYPES)
    .default(["article", "review", "conference-paper"]),
  rorDumpUrl: webAddress.default("https://zenodo.org/api/records/6347574"),
  wikipediaApiUrl: webAddress.default("https://en.wikipedia.org/w/api.php"),
  wikipediaCasePages: z
    .array(z.string())
    .min(1, "must name at least one page")
    .default(["List of scientific misconduct incidents"]),
  gdeltUrl: webAddress.default("https://api.gdeltproject.org/api/v2/doc/doc"),
  gdeltQuery: z.string().default(GDELT_QUERY),
});

const CREDENTIALS = "must have no user or password; put a key into EMBEDDINGS_API_KEY";
const NO_CREDENTIALS =
  "must have no user or password: receivers verify the signature that WEBHOOK_SECRET makes";

function hasNoCredentials(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

/** The prefix of the secrets of Standard Webhooks; base64 follows. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";

/** The bytes that Standard Webhooks asks for. */
const WEBHOOK_KEY_BYTES_MIN = 24;
const WEBHOOK_KEY_BYTES_MAX = 64;

/** Each target has two connections of each worker. */
const WEBHOOK_URLS_MAX = 10;
const WEBHOOK_URLS_COUNT = `must be at most ${WEBHOOK_URLS_MAX} addresses`;

const WEBHOOK_SECRET = `must be ${WEBHOOK_SECRET_PREFIX} followed by ${WEBHOOK_KEY_BYTES_MIN} to ${WEBHOOK_KEY_BYTES_MAX} bytes in base64; \`echo ${WEBHOOK_SECRET_PREFIX}$(openssl rand -base64 32)\` makes one. While a new one replaces it, list both, comma-separated`;

function isWebhookSecret(value: string): boolean {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const { length } = Buffer.from(base64, "base64");
  return length >= WEBHOOK_KEY_BYTES_MIN && length <= WEBHOOK_KEY_BYTES_MAX;
}

const OCR_LANGUAGES = "must be names of Tesseract's languages, comma-separated, such as eng,deu";

/** Days of work for a file. */
const OCR_PAGES_MAX = 10_000;

const WEBHOOK_HOSTS =
  "must be host names, addresses or CIDR blocks, comma-separated, such as moodle.example.org,10.0.0.0/8";

function isWebhookHost(entry: string): boolean {
  return readProxyRange(entry) !== undefined || (entry !== "*" && HOST_PATTERN.test(entry));
}

const Settings = z.object({
  host: z.string().default("127.0.0.1"),
  /** Names under which the engine answers beside its own; see `hostRule`. */
  allowedHosts: commaList.pipe(z.array(z.string().regex(HOST_PATTERN, HOST_NAMES))).prefault(""),
  enginePort: wholeNumber(0, PORT_MAX).default(8080),
  statisticsPort: wholeNumber(0, PORT_MAX).default(8081),
  /** The port of a listener with probes and metrics alone; undefined for no such listener. */
  metricsPort: wholeNumber(0, PORT_MAX).optional(),
  databaseUrl: url(["postgres:", "postgresql:"]).optional(),
  /** Used by the statistics API; its role needs no other right than to read them. */
  statisticsDatabaseUrl: url(["postgres:", "postgresql:"]).optional(),
  opensearchUrls: commaList
    .pipe(z.array(url(["http:", "https:"])).min(1, "must name at least one node"))
    .optional(),
  opensearchUsername: z.string().optional(),
  opensearchPassword: z.string().optional(),
  /** Path of a file with a bearer token, which may be renewed; `openSearchAccess` reads it and the PEM files below. */
  opensearchTokenFile: z.string().optional(),
  /** Requests are signed for this region of AWS. */
  opensearchRegion: z
    .string()
    .regex(/^[a-z]+(-[a-z\d]+)+$/, "must be a region of AWS such as eu-central-1")
    .optional(),
  opensearchCa: z.string().optional(),
  opensearchClientCert: z.string().optional(),
  opensearchClientKey: z.string().optional(),
  opensearchIndexPrefix: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, "must be lower-case letters, digits, `-`, `_` or `.`, at most 64")
    .default("similarity-"),
  /** Primary shards of the next chunk index, and replicas of each where there are nodes for them. */
  indexShards: wholeNumber(1, INDEX_SHARDS_MAX).default(1),
  indexReplicas: wholeNumber(0, INDEX_REPLICAS_MAX).default(1),
  opensearchHeap: z
    .string()
    .regex(/^[1-9]\d{0,4}[mg]$/, "must be a size such as 512m or 2g")
    .default("1g"),
  dataDir: z.string().default(".data"),
  /** How long a SIGTERM leaves to load balancers; see `drain` in run-service.ts. */
  drainMs: wholeNumber(0, DRAIN_SECONDS_MAX)
    .default(DRAIN_SECONDS_DEFAULT)
    .transform((seconds) => seconds * 1000),
  roles: commaList
    .pipe(z.array(z.enum(ROLES, `must be a comma-separated list of ${ROLES.join(", ")}`)).min(1))
    .prefault(ROLES_DEFAULT)
    .transform((roles) => [...new Set(roles)]),
  sampleCorpus: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  /** Whether sentences are compared by meaning too. */
  semantic: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  /** The address of a server that encodes sentences, with an API like OpenAI's; `/embeddings` is appended. */
  embeddingsUrl: webAddress.refine(hasNoCredentials, CREDENTIALS).optional(),
  embeddingsModel: z.string().optional(),
  embeddingsApiKey: asciiToken.optional(),
  checkTimeBudgetMs: wholeNumber(1, 86_400)
    .default(120)
    .transform((seconds) => seconds * 1000),
  checkConcurrency: wholeNumber(1, 64).default(2),
  /** Multiplies the limits in `WAITING_MAX`. */
  waitingFactor: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, WAITING_FACTOR)
    .transform(Number)
    .refine((factor) => factor > 0 && factor <= WAITING_FACTOR_MAX, WAITING_FACTOR)
    .default(1),
  /** Days for which a check is kept after it has ended; undefined keeps it permanently. */
  checkRetentionDays: wholeNumber(1, RETENTION_DAYS_MAX).optional(),
  /** Days for which a comparison of two texts is kept for a link; undefined allows no links. */
  comparisonLinkDays: wholeNumber(1, RETENTION_DAYS_MAX).optional(),
  /** Path of a JSON file in the shape of `StandingExclusions`. */
  standingExclusions: z.string().optional(),
  /** Whether the uploaded files of checks are kept, to show them beside their reports. */
  keepOriginals: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  /** Whether scanned pages of PDFs are read by OCR. */
  ocr: z
    .enum(["on", "off"], "must be on or off")
    .default("off")
    .transform((setting) => setting === "on"),
  /** The languages of scans, by their names in Tesseract; empty for all that are installed. */
  ocrLanguages: commaList.pipe(z.array(z.string().regex(/^[a-z]{3}[\w/]*$/i, OCR_LANGUAGES))).prefault(""),
  ocrPagesMax: wholeNumber(1, OCR_PAGES_MAX).default(50),
  ocrPageMs: wholeNumber(1, 600)
    .default(30)
    .transform((seconds) => seconds * 1000),
  /** Where events are sent. */
  webhookUrls: commaList
    .pipe(
      z.array(webAddress.refine(hasNoCredentials, NO_CREDENTIALS)).max(WEBHOOK_URLS_MAX, WEBHOOK_URLS_COUNT),
    )
    .prefault(""),
  /** Secrets by which events are signed. */
  webhookSecret: commaList.pipe(z.array(z.string().refine(isWebhookSecret, WEBHOOK_SECRET))).prefault(""),
  corpusUploadLimitBytes: wholeNumber(1, UPLOAD_LIMIT_BYTES_MAX).default(10 * MEBIBYTE),
  /** The port of the listener for plug-ins that speak the Turnitin Core API; undefined for no such listener. */
  coreApiPort: wholeNumber(0, PORT_MAX).optional(),
  /** Where browsers and plug-ins reach it, without a slash at the end. */
  coreApiPublicUrl: webAddress.transform((address) => address.replace(/\/+$/, "")).optional(),
  /** Path of a file with the hashes of its keys. */
  coreApiKeysFile: z.string().optional(),
  /** The hosts that may get its webhooks: names, addresses and CIDR blocks. */
  coreApiWebhookHosts: commaList.pipe(z.array(z.string().refine(isWebhookHost, WEBHOOK_HOSTS))).prefault(""),
  /** Path of a text that users have to accept. */
  coreApiEulaFile: z.string().optional(),
  /** Requests a minute with one key. */
  coreApiRateLimit: wholeNumber(1, RATE_LIMIT_MAX).default(1_200),
  /** Days for which a submission is kept; undefined keeps it permanently. */
  coreApiRetentionDays: wholeNumber(1, RETENTION_DAYS_MAX).optional(),
  /** Requests a minute that one client of the statistics API may make. */
  statisticsRateLimit: wholeNumber(1, RATE_LIMIT_MAX).default(120),
  trustedProxies: commaList.pipe(z.array(proxyRange)).prefault(""),
  /** Whether a worker fetches the sources of the statistics every day. */
  statisticsRefresh: z.enum(["off", "daily"], "must be off or daily").default("off"),
  /** An address or a page that the operators of the sources are given. */
  contact: z.string().optional(),
  openalexApiKey: z.string().optional(),
  /** Path of a JSON file in the shape of `StatisticsSources`. */
  statisticsSources: z.string().optional(),
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  /** A collector that takes OpenTelemetry's spans over HTTP. */
  otlpEndpoint: webAddress.optional(),
});

const exclusionList = z.array(z.string().trim().min(1)).max(1_000).default([]);

/** What is left out of all reports, as the file of `STANDING_EXCLUSIONS` states it. */
const StandingExclusions = z.strictObject({
  sources: z.array(z.guid("must be identifiers of documents").toLowerCase()).max(1_000).default([]),
  collections: exclusionList,
  phrases: exclusionList,
  sections: exclusionList,
});

/** Variables that are not named like their setting, as `ENGINE_PORT` is like `enginePort`. */
const OTHER_VARIABLES: Readonly<Record<string, string>> = {
  opensearchUrls: "OPENSEARCH_URL",
  checkTimeBudgetMs: "CHECK_TIME_BUDGET_SECONDS",
  drainMs: "DRAIN_SECONDS",
  ocrPageMs: "OCR_PAGE_SECONDS",
  otlpEndpoint: "OTEL_EXPORTER_OTLP_ENDPOINT",
};

function variableOf(setting: string): string {
  return OTHER_VARIABLES[setting] ?? setting.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

/** The variables that `readConfig` understands, in the order in which docs/configuration.md lists them. */
export const SETTINGS = Object.keys(Settings.shape).map(variableOf);

type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

type ReadonlyLists<T> = { readonly [name in keyof T]: ReadonlyList<T[name]> };

export type Config = ReadonlyLists<Omit<z.output<typeof Settings>, "standingExclusions">> & {
  readonly standingExclusions: ReadonlyLists<z.output<typeof StandingExclusions>> | undefined;
} & ReadonlyLists<z.output<typeof StatisticsSources>> & {
    readonly [limit in keyof typeof WAITING_MAX]: number;
  };

/** Reads the settings; an empty one counts as not set. @throws ConfigError naming every setting whose value is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = (variable: string) => environment[variable]?.trim() || undefined;
  const values = Object.keys(Settings.shape).map((name) => [name, given(variableOf(name))]);
  const settings = Settings.superRefine(setTogether).safeParse(Object.fromEntries(values));
  const sources = readSources(given("STATISTICS_SOURCES"));
  const exclusions = readJsonFile(given("STANDING_EXCLUSIONS"), StandingExclusions.optional());
  if (settings.success && sources.success && exclusions.success)
    return {
      ...settings.data,
      standingExclusions: exclusions.data,
      ...sources.data,
      ...waitingLimits(settings.data.waitingFactor),
    };
  const lines = [
    ...(settings.error?.issues ?? []).map(({ path: [name], message }) => [variableOf(String(name)), message]),
    ...(sources.error?.issues ?? []).map(({ path, message }) => [
      "STATISTICS_SOURCES",
      [...path, message].join(" "),
    ]),
    ...(exclusions.error?.issues ?? []).map(({ path, message }) => [
      "STANDING_EXCLUSIONS",
      [...path, message].join(" "),
    ]),
  ].map(([variable, message]) => `  ${variable}: ${message}`);
  throw new ConfigError(`These settings are wrong:\n${[...new Set(lines)].join("\n")}`);
}

function readSources(path: string | undefined) {
  return readJsonFile(
    path,
    z
      .unknown()
      .transform((content) => content ?? {})
      .pipe(StatisticsSources),
  );
}

/** The content of a JSON file; undefined without a path. */
function readJsonFile<Schema extends z.ZodType>(path: string | undefined, schema: Schema) {
  const content = z.unknown().transform((_, context): unknown => {
    try {
      return path === undefined ? undefined : JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      const reason = errorMessage(error);
      context.issues.push({ code: "custom", input: path, message: `must name a JSON file (${reason})` });
      return z.NEVER;
    }
  });
  return content.pipe(schema).safeParse(path);
}

function waitingLimits(factor: number) {
  const limit = (count: number) => Math.ceil(count * factor);
  return {
    uploadsWaitingMax: limit(WAITING_MAX.uploadsWaitingMax),
    checksWaitingMax: limit(WAITING_MAX.checksWaitingMax),
    batchMembersMax: limit(WAITING_MAX.batchMembersMax),
    membersWaitingMax: limit(WAITING_MAX.membersWaitingMax),
  };
}

/** An embedding server has many models, and the fingerprints must name theirs. No event is sent without a signature. */
function setTogether(settings: z.output<typeof Settings>, context: z.RefinementCtx): void {
  const { embeddingsUrl, embeddingsModel, webhookUrls, webhookSecret } = settings;
  const required = (setting: string, message: string) =>
    context.addIssue({ code: "custom", path: [setting], message });
  if (embeddingsUrl !== undefined && embeddingsModel === undefined)
    required("embeddingsModel", "must name the model to ask EMBEDDINGS_URL for");
  if (embeddingsUrl === undefined && embeddingsModel !== undefined)
    required("embeddingsUrl", "must be the address of the server that has EMBEDDINGS_MODEL");
  if (webhookUrls.length > 0 && webhookSecret.length === 0)
    required("webhookSecret", `must be set with WEBHOOK_URLS: it ${WEBHOOK_SECRET}`);
  if (webhookUrls.length === 0 && webhookSecret.length > 0)
    required("webhookUrls", "must name the addresses that get the events, or WEBHOOK_SECRET be left out");
  if (settings.coreApiPort === undefined) return;
  if (settings.coreApiPublicUrl === undefined)
    required("coreApiPublicUrl", "must be set with CORE_API_PORT: the address under which plug-ins reach it");
  if (settings.coreApiKeysFile === undefined)
    required(
      "coreApiKeysFile",
      "must be set with CORE_API_PORT: `npm run core-api:key -- NAME` makes the file",
    );
}

/** Reads `10.0.0.0/8` or `2001:db8::7`; undefined for anything else. */
export function readProxyRange(text: string): ProxyRange | undefined {
  const [address = "", length, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (length === undefined) return { address, family, prefix: undefined };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= BITS[family] ? { address, family, prefix } : undefined;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
