import type { Config } from "../../src/platform/config.ts";

const MEBIBYTE = 1024 * 1024;

export type SettingCase = {
  readonly member: keyof Config;
  readonly fallback: unknown;
  /** Values that are taken, with what becomes of them. */
  readonly taken: readonly (readonly [value: string, read: unknown])[];
  /** Values that stop the start, and a part of what the message says beside the name. */
  readonly refused: readonly (readonly [value: string, says: RegExp])[];
};

const PORT = /whole number from 0 to 65535/;

function webAddress(member: keyof Config, fallback: string): SettingCase {
  return {
    member,
    fallback,
    taken: [["http://mirror.example/api", "http://mirror.example/api"]],
    refused: ["mirror.example", "ftp://mirror.example/"].map((value) => [value, /http:\/\/ or https:\/\//]),
  };
}

/** Every setting, in the order of the README. */
export const CASES: Readonly<Record<string, SettingCase>> = {
  HOST: {
    member: "host",
    fallback: "127.0.0.1",
    taken: [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
    ],
    // Whether it is an address of this machine shows when the listener opens: test/system/start.test.ts.
    refused: [],
  },
  ALLOWED_HOSTS: {
    member: "allowedHosts",
    fallback: [],
    taken: [
      ["checks.example.org, *.Example.NET", ["checks.example.org", "*.Example.NET"]],
      ["*", ["*"]],
    ],
    refused: ["https://checks.example.org", "checks.example.org:8080", "a*.example", "a b"].map((value) => [
      value,
      /without scheme and port/,
    ]),
  },
  ENGINE_PORT: {
    member: "enginePort",
    fallback: 8080,
    taken: [
      ["0", 0],
      ["65535", 65_535],
    ],
    refused: ["65536", "-1", "http", "80.5", "0x50", "1e3"].map((value) => [value, PORT]),
  },
  STATISTICS_PORT: {
    member: "statisticsPort",
    fallback: 8081,
    taken: [["0", 0]],
    refused: ["65536", "http"].map((value) => [value, PORT]),
  },
  METRICS_PORT: {
    member: "metricsPort",
    fallback: undefined,
    taken: [["0", 0]],
    refused: ["65536", "http"].map((value) => [value, PORT]),
  },
  DATABASE_URL: {
    member: "databaseUrl",
    fallback: undefined,
    taken: [
      ["postgres://me:secret@db.example:5433/checks", "postgres://me:secret@db.example:5433/checks"],
      ["postgresql://db.example/checks", "postgresql://db.example/checks"],
    ],
    refused: ["db.example", "mysql://db.example/checks", "postgres"].map((value) => [
      value,
      /postgres:\/\/ or postgresql:\/\//,
    ]),
  },
  STATISTICS_DATABASE_URL: {
    member: "statisticsDatabaseUrl",
    fallback: undefined,
    taken: [["postgres://reader:secret@db.example/checks", "postgres://reader:secret@db.example/checks"]],
    refused: [["db.example", /postgres:\/\/ or postgresql:\/\//]],
  },
  OPENSEARCH_URL: {
    member: "opensearchUrls",
    fallback: undefined,
    taken: [
      ["https://a.example:9200", ["https://a.example:9200"]],
      ["http://a.example:9200, http://b.example:9200", ["http://a.example:9200", "http://b.example:9200"]],
    ],
    refused: [
      ["a.example:9200", /http:\/\/ or https:\/\//],
      ["http://a.example:9200,b", /http:\/\/ or https:\/\//],
      [",", /at least one node/],
      ["https://me:100%@a.example:9200", /percent sign/],
    ],
  },
  OPENSEARCH_USERNAME: {
    member: "opensearchUsername",
    fallback: undefined,
    taken: [["similarity", "similarity"]],
    // One without the other, and a file that is none: test/platform/opensearch/opensearch-access.test.ts.
    refused: [],
  },
  OPENSEARCH_PASSWORD: {
    member: "opensearchPassword",
    fallback: undefined,
    taken: [["p%4:@/ ß", "p%4:@/ ß"]],
    refused: [],
  },
  OPENSEARCH_CA: {
    member: "opensearchCa",
    fallback: undefined,
    taken: [["/etc/opensearch/ca.pem", "/etc/opensearch/ca.pem"]],
    refused: [],
  },
  OPENSEARCH_INDEX_PREFIX: {
    member: "opensearchIndexPrefix",
    fallback: "similarity-",
    taken: [["team_1.checks-", "team_1.checks-"]],
    refused: ["Team-", "-team", "_team", "a*", "a b", "x".repeat(65)].map((value) => [value, /lower-case/]),
  },
  INDEX_SHARDS: {
    member: "indexShards",
    fallback: 1,
    taken: [
      ["6", 6],
      ["1024", 1_024],
    ],
    refused: ["0", "1025", "auto"].map((value) => [value, /whole number from 1 to 1024/]),
  },
  INDEX_REPLICAS: {
    member: "indexReplicas",
    fallback: 1,
    taken: [
      ["0", 0],
      ["9", 9],
    ],
    refused: ["10", "-1", "0-1"].map((value) => [value, /whole number from 0 to 9/]),
  },
  OPENSEARCH_HEAP: {
    member: "opensearchHeap",
    fallback: "1g",
    taken: [["512m", "512m"]],
    refused: ["512", "1t", "0g", "-1g", "much"].map((value) => [value, /512m or 2g/]),
  },
  DATA_DIR: {
    member: "dataDir",
    fallback: ".data",
    taken: [["/var/lib/checks", "/var/lib/checks"]],
    refused: [],
  },
  ROLES: {
    member: "roles",
    fallback: ["engine", "worker", "statistics"],
    taken: [
      ["worker", ["worker"]],
      ["engine, statistics, engine", ["engine", "statistics"]],
    ],
    refused: [
      ["queen", /comma-separated list of engine, worker, statistics/],
      ["engine,queen", /comma-separated list of engine, worker, statistics/],
      [",", /./],
    ],
  },
  SAMPLE_CORPUS: {
    member: "sampleCorpus",
    fallback: true,
    taken: [
      ["on", true],
      ["off", false],
    ],
    refused: ["yes", "true", "ON", "0"].map((value) => [value, /on or off/]),
  },
  SAMPLE_CORPUS_CONTACT: {
    member: "sampleCorpusContact",
    fallback: undefined,
    taken: [["me@example.org", "me@example.org"]],
    refused: [],
  },
  CHECK_TIME_BUDGET_SECONDS: {
    member: "checkTimeBudgetMs",
    fallback: 120_000,
    taken: [
      ["1", 1_000],
      ["86400", 86_400_000],
    ],
    refused: ["0", "86401", "-5", "2.5", "2m"].map((value) => [value, /whole number from 1 to 86400/]),
  },
  CHECK_CONCURRENCY: {
    member: "checkConcurrency",
    fallback: 2,
    taken: [["64", 64]],
    refused: ["0", "65", "two"].map((value) => [value, /whole number from 1 to 64/]),
  },
  CHECKS_WAITING_MAX: {
    member: "checksWaitingMax",
    fallback: 1_000,
    taken: [["1", 1]],
    refused: ["0", "1000001", "all"].map((value) => [value, /whole number from 1 to 1000000/]),
  },
  CHECK_RETENTION_DAYS: {
    member: "checkRetentionDays",
    fallback: undefined,
    taken: [
      ["1", 1],
      ["36500", 36_500],
    ],
    refused: ["0", "36501", "-1", "1.5", "month"].map((value) => [value, /whole number from 1 to 36500/]),
  },
  CORPUS_UPLOAD_LIMIT_BYTES: {
    member: "corpusUploadLimitBytes",
    fallback: 10 * MEBIBYTE,
    taken: [["20971520", 20 * MEBIBYTE]],
    refused: ["0", String(256 * MEBIBYTE + 1), "10MB"].map((value) => [value, /whole number from 1 to/]),
  },
  UPLOADS_WAITING_MAX: {
    member: "uploadsWaitingMax",
    fallback: 20,
    taken: [
      ["0", 0],
      ["500", 500],
    ],
    refused: [
      ["-1", /whole number from 0 to 10000/],
      ["many", /whole number/],
    ],
  },
  STATISTICS_RATE_LIMIT: {
    member: "statisticsRateLimit",
    fallback: 120,
    taken: [["1", 1]],
    refused: ["0", "120/min", "100000001"].map((value) => [value, /whole number from 1 to 100000000/]),
  },
  TRUSTED_PROXIES: {
    member: "trustedProxies",
    fallback: [],
    taken: [
      ["192.0.2.1", [{ address: "192.0.2.1", family: "ipv4", prefix: undefined }]],
      [
        "10.0.0.0/8, 2001:db8::/32",
        [
          { address: "10.0.0.0", family: "ipv4", prefix: 8 },
          { address: "2001:db8::", family: "ipv6", prefix: 32 },
        ],
      ],
    ],
    refused: ["proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "10.0.0/8"].map(
      (value) => [value, /addresses or CIDR blocks/],
    ),
  },
  STATISTICS_REFRESH: {
    member: "statisticsRefresh",
    fallback: "off",
    taken: [
      ["off", "off"],
      ["daily", "daily"],
    ],
    refused: ["on", "weekly", "Daily"].map((value) => [value, /off or daily/]),
  },
  STATISTICS_CONTACT: {
    member: "statisticsContact",
    fallback: undefined,
    taken: [["me@example.org", "me@example.org"]],
    refused: [],
  },
  RETRACTION_WATCH_URL: webAddress(
    "retractionWatchUrl",
    "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv",
  ),
  OPENALEX_URL: webAddress("openalexUrl", "https://api.openalex.org"),
  OPENALEX_API_KEY: {
    member: "openalexApiKey",
    fallback: undefined,
    taken: [["abc123", "abc123"]],
    refused: [],
  },
  OPENALEX_COUNTED_TYPES: {
    member: "openalexCountedTypes",
    fallback: ["article", "review", "conference-paper"],
    taken: [["article, book-chapter", ["article", "book-chapter"]]],
    refused: ["Article", "type:article", "article|review", ","].map((value) => [value, /types of works/]),
  },
  ROR_DUMP_URL: webAddress("rorDumpUrl", "https://zenodo.org/api/records/6347574"),
  WIKIPEDIA_API_URL: webAddress("wikipediaApiUrl", "https://en.wikipedia.org/w/api.php"),
  WIKIPEDIA_CASE_PAGES: {
    member: "wikipediaCasePages",
    fallback: ["List of scientific misconduct incidents"],
    taken: [["Bern, a list | Plagiarists", ["Bern, a list", "Plagiarists"]]],
    refused: [["|", /at least one page/]],
  },
  GDELT_URL: webAddress("gdeltUrl", "https://api.gdeltproject.org/api/v2/doc/doc"),
  GDELT_QUERY: {
    member: "gdeltQuery",
    fallback:
      "(plagiarism OR plagiarised OR plagiarized) (university OR professor OR thesis OR journal OR research)",
    taken: [["ghostwriting", "ghostwriting"]],
    refused: [],
  },
  LOG_LEVEL: {
    member: "logLevel",
    fallback: "info",
    taken: [
      ["debug", "debug"],
      ["silent", "silent"],
    ],
    refused: ["verbose", "INFO"].map((value) => [value, /one of fatal, error, warn, info/]),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    member: "otlpEndpoint",
    fallback: undefined,
    taken: [["http://collector.example:4318", "http://collector.example:4318"]],
    refused: [["collector.example:4318", /must be a URL/]],
  },
};
