import { isIP } from "node:net";
import { z } from "zod";

const ROLES = ["engine", "worker", "statistics"] as const;
export type Role = (typeof ROLES)[number];

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
 * Each waiting upload is in memory: 20 files of 10 MiB are 200 MiB. A usual file is read in well under a second, so two
 * processes work through a full queue in some ten seconds.
 */
const UPLOADS_WAITING_MAX = 20;

/**
 * Two cores need some four minutes for a thousand checks of 1,000 words; a client that comes later should try again. Each
 * check waits in PostgreSQL with a text of at most 500,000 characters, so a full queue takes a few hundred megabytes.
 */
const CHECKS_WAITING_MAX = 1_000;

/** OpenSearch's own limit for one index. */
const INDEX_SHARDS_MAX = 1_024;

/** Each replica survives the loss of one more node and takes the disk of the whole index again. */
const INDEX_REPLICAS_MAX = 9;

/** High enough that no client reaches it in a measurement, and within PostgreSQL's `integer`. */
const RATE_LIMIT_MAX = 100_000_000;

/** A century; for longer, leave the setting out. */
const RETENTION_DAYS_MAX = 36_500;

/** One process with all roles suits one machine. */
const ROLES_DEFAULT = ROLES.join(",");

function list(separator: string) {
  return z.string().transform((text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );
}

const commaList = list(",");

/** Titles of pages may hold commas, but no vertical bars. */
const titleList = list("|");

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

const RETRACTION_WATCH_URL =
  "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv";

const HOST_PATTERN = /^(\*|(\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*\.?)$/i;
const HOST_NAMES =
  "must be host names without scheme and port, comma-separated, such as checks.example.org,*.example.net, or * for any";

const WORK_TYPES = "must be types of works of OpenAlex, comma-separated, such as article,review";

/** GDELT's search requires parentheses around alternatives and takes about 250 characters. */
const GDELT_QUERY =
  "(plagiarism OR plagiarised OR plagiarized) (university OR professor OR thesis OR journal OR research)";

const Environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  ALLOWED_HOSTS: commaList.pipe(z.array(z.string().regex(HOST_PATTERN, HOST_NAMES))).prefault(""),
  ENGINE_PORT: wholeNumber(0, PORT_MAX).default(8080),
  STATISTICS_PORT: wholeNumber(0, PORT_MAX).default(8081),
  METRICS_PORT: wholeNumber(0, PORT_MAX).optional(),
  DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
  STATISTICS_DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
  OPENSEARCH_URL: commaList
    .pipe(z.array(url(["http:", "https:"])).min(1, "must name at least one node"))
    .optional(),
  OPENSEARCH_USERNAME: z.string().optional(),
  OPENSEARCH_PASSWORD: z.string().optional(),
  OPENSEARCH_CA: z.string().optional(),
  OPENSEARCH_INDEX_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, "must be lower-case letters, digits, `-`, `_` or `.`, at most 64")
    .default("similarity-"),
  INDEX_SHARDS: wholeNumber(1, INDEX_SHARDS_MAX).default(1),
  INDEX_REPLICAS: wholeNumber(0, INDEX_REPLICAS_MAX).default(1),
  OPENSEARCH_HEAP: z
    .string()
    .regex(/^[1-9]\d{0,4}[mg]$/, "must be a size such as 512m or 2g")
    .default("1g"),
  DATA_DIR: z.string().default(".data"),
  ROLES: commaList
    .pipe(z.array(z.enum(ROLES, `must be a comma-separated list of ${ROLES.join(", ")}`)).min(1))
    .prefault(ROLES_DEFAULT),
  SAMPLE_CORPUS: z.enum(["on", "off"], "must be on or off").default("on"),
  SAMPLE_CORPUS_CONTACT: z.string().optional(),
  CHECK_TIME_BUDGET_SECONDS: wholeNumber(1, 86_400).default(120),
  CHECK_CONCURRENCY: wholeNumber(1, 64).default(2),
  CHECKS_WAITING_MAX: wholeNumber(1, 1_000_000).default(CHECKS_WAITING_MAX),
  CHECK_RETENTION_DAYS: wholeNumber(1, RETENTION_DAYS_MAX).optional(),
  CORPUS_UPLOAD_LIMIT_BYTES: wholeNumber(1, UPLOAD_LIMIT_BYTES_MAX).default(10 * MEBIBYTE),
  UPLOADS_WAITING_MAX: wholeNumber(0, 10_000).default(UPLOADS_WAITING_MAX),
  STATISTICS_RATE_LIMIT: wholeNumber(1, RATE_LIMIT_MAX).default(120),
  TRUSTED_PROXIES: commaList.pipe(z.array(proxyRange)).prefault(""),
  STATISTICS_REFRESH: z.enum(["off", "daily"], "must be off or daily").default("off"),
  STATISTICS_CONTACT: z.string().optional(),
  RETRACTION_WATCH_URL: webAddress.default(RETRACTION_WATCH_URL),
  OPENALEX_URL: webAddress.default("https://api.openalex.org"),
  OPENALEX_API_KEY: z.string().optional(),
  OPENALEX_COUNTED_TYPES: commaList
    .pipe(z.array(z.string().regex(/^[a-z-]+$/, WORK_TYPES)).min(1, WORK_TYPES))
    .prefault("article,review,conference-paper"),
  ROR_DUMP_URL: webAddress.default("https://zenodo.org/api/records/6347574"),
  WIKIPEDIA_API_URL: webAddress.default("https://en.wikipedia.org/w/api.php"),
  WIKIPEDIA_CASE_PAGES: titleList
    .pipe(z.array(z.string()).min(1, "must name at least one page"))
    .prefault("List of scientific misconduct incidents"),
  GDELT_URL: webAddress.default("https://api.gdeltproject.org/api/v2/doc/doc"),
  GDELT_QUERY: z.string().default(GDELT_QUERY),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
});

/** The settings that `readConfig` understands, in the order in which the README lists them. */
export const SETTINGS = Object.keys(Environment.shape);

/** A setting that the program can't run with. The message names it and says what is expected. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads the settings from an environment. An empty setting counts as not set.
 * @throws ConfigError naming every setting whose value is wrong.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    SETTINGS.map((name) => [name, environment[name]?.trim() || undefined] as const),
  );
  const result = Environment.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigError(`These settings are wrong:\n${[...new Set(lines)].join("\n")}`);
  }
  return fromSettings(result.data);
}

export type Config = { readonly [name in keyof Settings]: ReadonlyList<Settings[name]> };

type Settings = ReturnType<typeof fromSettings>;
type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

function fromSettings(settings: z.output<typeof Environment>) {
  return {
    host: settings.HOST,
    /** Names under which the engine answers beside its own; see `hostRule`. */
    allowedHosts: settings.ALLOWED_HOSTS,
    enginePort: settings.ENGINE_PORT,
    statisticsPort: settings.STATISTICS_PORT,
    /** Of a listener with probes and metrics alone; undefined for none. */
    metricsPort: settings.METRICS_PORT,
    databaseUrl: settings.DATABASE_URL,
    /** Used by the statistics API; its role needs no other right than to read them. */
    statisticsDatabaseUrl: settings.STATISTICS_DATABASE_URL,
    opensearchUrls: settings.OPENSEARCH_URL,
    opensearchUsername: settings.OPENSEARCH_USERNAME,
    opensearchPassword: settings.OPENSEARCH_PASSWORD,
    /** Path of a PEM file; `openSearchAccess` reads it. */
    opensearchCa: settings.OPENSEARCH_CA,
    opensearchIndexPrefix: settings.OPENSEARCH_INDEX_PREFIX,
    /** Primary shards of the next chunk index, and replicas of each where there are nodes for them. */
    indexShards: settings.INDEX_SHARDS,
    indexReplicas: settings.INDEX_REPLICAS,
    opensearchHeap: settings.OPENSEARCH_HEAP,
    dataDir: settings.DATA_DIR,
    roles: [...new Set(settings.ROLES)],
    sampleCorpus: settings.SAMPLE_CORPUS === "on",
    sampleCorpusContact: settings.SAMPLE_CORPUS_CONTACT,
    checkTimeBudgetMs: settings.CHECK_TIME_BUDGET_SECONDS * 1000,
    checkConcurrency: settings.CHECK_CONCURRENCY,
    /** Checks that may wait for a worker. */
    checksWaitingMax: settings.CHECKS_WAITING_MAX,
    /** Days for which a check is kept after it has ended; undefined for ever. */
    checkRetentionDays: settings.CHECK_RETENTION_DAYS,
    corpusUploadLimitBytes: settings.CORPUS_UPLOAD_LIMIT_BYTES,
    /** Uploads that may wait for their text to be read. */
    uploadsWaitingMax: settings.UPLOADS_WAITING_MAX,
    /** Requests a minute that one client of the statistics API may make. */
    statisticsRateLimit: settings.STATISTICS_RATE_LIMIT,
    trustedProxies: settings.TRUSTED_PROXIES,
    /** Whether a worker fetches the sources of the statistics every day. */
    statisticsRefresh: settings.STATISTICS_REFRESH,
    /** The contact that the operators of the sources are given. */
    statisticsContact: settings.STATISTICS_CONTACT,
    retractionWatchUrl: settings.RETRACTION_WATCH_URL,
    openalexUrl: settings.OPENALEX_URL,
    openalexApiKey: settings.OPENALEX_API_KEY,
    /** OpenAlex's types of works that count as publications. */
    openalexCountedTypes: settings.OPENALEX_COUNTED_TYPES,
    rorDumpUrl: settings.ROR_DUMP_URL,
    wikipediaApiUrl: settings.WIKIPEDIA_API_URL,
    wikipediaCasePages: settings.WIKIPEDIA_CASE_PAGES,
    gdeltUrl: settings.GDELT_URL,
    gdeltQuery: settings.GDELT_QUERY,
    logLevel: settings.LOG_LEVEL,
    /** A collector that takes OpenTelemetry's spans over HTTP. */
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
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
