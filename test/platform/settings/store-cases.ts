import { anyText, type SettingCases } from "./setting-case.ts";

/** Where PostgreSQL, OpenSearch and the data of the service are. */
export const STORE_CASES: SettingCases = {
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
  // A name without a password, and a file that does not exist: test/platform/opensearch/opensearch.test.ts.
  OPENSEARCH_USERNAME: anyText("opensearchUsername", "similarity"),
  OPENSEARCH_PASSWORD: anyText("opensearchPassword", "p%4:@/ ß"),
  // What depends on other settings and on files: test/platform/opensearch/renewed-credentials.test.ts.
  OPENSEARCH_TOKEN_FILE: anyText("opensearchTokenFile", "/var/run/secrets/token"),
  OPENSEARCH_REGION: {
    member: "opensearchRegion",
    fallback: undefined,
    taken: [["us-gov-west-1", "us-gov-west-1"]],
    refused: ["Frankfurt", "eu central 1", "local"].map((value) => [value, /a region of AWS such as/]),
  },
  OPENSEARCH_CA: anyText("opensearchCa", "/etc/opensearch/ca.pem"),
  OPENSEARCH_CLIENT_CERT: anyText("opensearchClientCert", "/etc/opensearch/service.pem"),
  OPENSEARCH_CLIENT_KEY: anyText("opensearchClientKey", "/etc/opensearch/service.key"),
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
};
