import { isIP } from "node:net";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";

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

/** 20 files of 10 MiB take 200 MiB of memory, and two processes work through them in some ten seconds. */
const UPLOADS_WAITING_MAX = 20;

/** Two cores need some four minutes for a thousand checks of 1,000 words. Their texts take a few hundred megabytes. */
const CHECKS_WAITING_MAX = 1_000;

/** By the growth from 1,000 to 3,000 texts of 2,000 words (docs/benchmarks.md), two cores need half an hour for so many. */
const BATCH_MEMBERS_MAX = 10_000;

/** Two full batches. Files that wait are kept in PostgreSQL. */
const MEMBERS_WAITING_MAX = 20_000;

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

const asciiToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "must have only ASCII letters, digits and signs, without blanks");

const OPENSEARCH_AUTHS = ["basic", "bearer", "sigv4"] as const;

const RETRACTION_WATCH_URL =
  "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv";

const HOST_PATTERN = /^(\*|(\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*\.?)$/i;
const HOST_NAMES =
  "must be host names without scheme and port, comma-separated, such as checks.example.org,*.example.net, or * for any";

const WORK_TYPES = "must be types of works of OpenAlex, comma-separated, such as article,review";

/** GDELT's search requires parentheses around alternatives and takes about 250 characters. */
const GDELT_QUERY =
  "(plagiarism OR plagiarised OR plagiarized) (university OR professor OR thesis OR journal OR research)";

const CREDENTIALS = "must have no user or password; put a key into EMBEDDINGS_API_KEY";
const NO_CREDENTIALS =
  "must have no user or password: receivers verify the signature that WEBHOOK_SECRET makes";

function hasNoCredentials(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

/** Of the secrets of Standard Webhooks; base64 follows. */
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

const Settings = z.object({
  host: z.string().default("127.0.0.1"),
  /** Names under which the engine answers beside its own; see `hostRule`. */
  allowedHosts: commaList.pipe(z.array(z.string().regex(HOST_PATTERN, HOST_NAMES))).prefault(""),
  enginePort: wholeNumber(0, PORT_MAX).default(8080),
  statisticsPort: wholeNumber(0, PORT_MAX).default(8081),
  /** Of a listener with probes and metrics alone; undefined for none. */
  metricsPort: wholeNumber(0, PORT_MAX).optional(),
  databaseUrl: url(["postgres:", "postgresql:"]).optional(),
  /** Used by the statistics API; its role needs no other right than to read them. */
  statisticsDatabaseUrl: url(["postgres:", "postgresql:"]).optional(),
  opensearchUrls: commaList
    .pipe(z.array(url(["http:", "https:"])).min(1, "must name at least one node"))
    .optional(),
  opensearchAuth: z.enum(OPENSEARCH_AUTHS, `must be one of ${OPENSEARCH_AUTHS.join(", ")}`).default("basic"),
  opensearchUsername: z.string().optional(),
  opensearchPassword: z.string().optional(),
  opensearchToken: asciiToken.optional(),
  /** Path of a file with a token, which may be renewed; `openSearchAccess` reads it and the PEM files below. */
  opensearchTokenFile: z.string().optional(),
  /** For signatures of AWS. */
  opensearchRegion: z.string().optional(),
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
  roles: commaList
    .pipe(z.array(z.enum(ROLES, `must be a comma-separated list of ${ROLES.join(", ")}`)).min(1))
    .prefault(ROLES_DEFAULT)
    .transform((roles) => [...new Set(roles)]),
  sampleCorpus: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  sampleCorpusContact: z.string().optional(),
  /** Whether sentences are compared by meaning too. */
  semantic: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  /** Of a server that encodes sentences, in the shape of OpenAI's; `/embeddings` is appended. */
  embeddingsUrl: webAddress.refine(hasNoCredentials, CREDENTIALS).optional(),
  embeddingsModel: z.string().optional(),
  embeddingsApiKey: asciiToken.optional(),
  checkTimeBudgetMs: wholeNumber(1, 86_400)
    .default(120)
    .transform((seconds) => seconds * 1000),
  checkConcurrency: wholeNumber(1, 64).default(2),
  /** Checks that may wait for a worker. */
  checksWaitingMax: wholeNumber(1, 1_000_000).default(CHECKS_WAITING_MAX),
  /** Days for which a check is kept after it has ended; undefined for ever. */
  checkRetentionDays: wholeNumber(1, RETENTION_DAYS_MAX).optional(),
  /** Whether the uploaded files of checks are kept, to show them beside their reports. */
  keepOriginals: z
    .enum(["on", "off"], "must be on or off")
    .default("on")
    .transform((setting) => setting === "on"),
  /** Members of one batch. */
  batchMembersMax: wholeNumber(1, 1_000_000).default(BATCH_MEMBERS_MAX),
  /** Members of all batches that may wait to be read or compared. */
  membersWaitingMax: wholeNumber(1, 10_000_000).default(MEMBERS_WAITING_MAX),
  /** Where events are sent. */
  webhookUrls: commaList
    .pipe(
      z.array(webAddress.refine(hasNoCredentials, NO_CREDENTIALS)).max(WEBHOOK_URLS_MAX, WEBHOOK_URLS_COUNT),
    )
    .prefault(""),
  /** Secrets by which events are signed. */
  webhookSecret: commaList.pipe(z.array(z.string().refine(isWebhookSecret, WEBHOOK_SECRET))).prefault(""),
  corpusUploadLimitBytes: wholeNumber(1, UPLOAD_LIMIT_BYTES_MAX).default(10 * MEBIBYTE),
  /** Uploads that may wait for their text to be read. */
  uploadsWaitingMax: wholeNumber(0, 10_000).default(UPLOADS_WAITING_MAX),
  /** Requests a minute that one client of the statistics API may make. */
  statisticsRateLimit: wholeNumber(1, RATE_LIMIT_MAX).default(120),
  trustedProxies: commaList.pipe(z.array(proxyRange)).prefault(""),
  /** Whether a worker fetches the sources of the statistics every day. */
  statisticsRefresh: z.enum(["off", "daily"], "must be off or daily").default("off"),
  /** The contact that the operators of the sources are given. */
  statisticsContact: z.string().optional(),
  retractionWatchUrl: webAddress.default(RETRACTION_WATCH_URL),
  openalexUrl: webAddress.default("https://api.openalex.org"),
  openalexApiKey: z.string().optional(),
  /** OpenAlex's types of works that count as publications. */
  openalexCountedTypes: commaList
    .pipe(z.array(z.string().regex(/^[a-z-]+$/, WORK_TYPES)).min(1, WORK_TYPES))
    .prefault("article,review,conference-paper"),
  rorDumpUrl: webAddress.default("https://zenodo.org/api/records/6347574"),
  wikipediaApiUrl: webAddress.default("https://en.wikipedia.org/w/api.php"),
  wikipediaCasePages: titleList
    .pipe(z.array(z.string()).min(1, "must name at least one page"))
    .prefault("List of scientific misconduct incidents"),
  gdeltUrl: webAddress.default("https://api.gdeltproject.org/api/v2/doc/doc"),
  gdeltQuery: z.string().default(GDELT_QUERY),
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  /** A collector that takes OpenTelemetry's spans over HTTP. */
  otlpEndpoint: webAddress.optional(),
});

/** Variables that are not named like their setting, as `ENGINE_PORT` is like `enginePort`. */
const OTHER_VARIABLES: Readonly<Record<string, string>> = {
  opensearchUrls: "OPENSEARCH_URL",
  membersWaitingMax: "BATCH_MEMBERS_WAITING_MAX",
  checkTimeBudgetMs: "CHECK_TIME_BUDGET_SECONDS",
  otlpEndpoint: "OTEL_EXPORTER_OTLP_ENDPOINT",
};

/** Variables of other programs that count where the setting's own is missing. */
const COMMON_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  opensearchRegion: ["AWS_REGION", "AWS_DEFAULT_REGION"],
};

function variableOf(setting: string): string {
  return OTHER_VARIABLES[setting] ?? setting.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

/** The variables that `readConfig` understands, in the order in which docs/configuration.md lists them. */
export const SETTINGS = Object.keys(Settings.shape).map(variableOf);

export { ConfigError };

type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

export type Config = {
  readonly [name in keyof z.output<typeof Settings>]: ReadonlyList<z.output<typeof Settings>[name]>;
};

/** Reads the settings; an empty one counts as not set. @throws ConfigError naming every setting whose value is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = Object.keys(Settings.shape).map((name) => [name, given(name)] as const);
  const result = Settings.superRefine(setTogether).safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path: [name], message }) => `  ${variableOf(String(name))}: ${message}`,
  );
  throw new ConfigError(`These settings are wrong:\n${[...new Set(lines)].join("\n")}`);

  function given(name: string): string | undefined {
    const variables = [variableOf(name), ...(COMMON_VARIABLES[name] ?? [])];
    return variables.map((variable) => environment[variable]?.trim()).find((value) => value);
  }
}

/** An embedding server has many models, and the fingerprints must name theirs. No event is sent without a signature. */
function setTogether(
  { embeddingsUrl, embeddingsModel, webhookUrls, webhookSecret }: z.output<typeof Settings>,
  context: z.RefinementCtx,
): void {
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
