import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onOrOff, type SettingCases } from "./setting-case.ts";

const EXCLUSIONS = fileURLToPath(new URL("./standing-exclusions.json", import.meta.url));

const MEBIBYTE = 1024 * 1024;

/** The shortest and the longest secret. */
const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const LONGEST_SECRET = `whsec_${Buffer.alloc(64, 7).toString("base64")}`;

/** What a process does, and how much of it: roles, checks, uploads. */
export const WORK_CASES: SettingCases = {
  DRAIN_SECONDS: {
    member: "drainMs",
    fallback: 5_000,
    taken: [
      ["0", 0],
      ["5", 5_000],
      ["3600", 3_600_000],
    ],
    refused: ["-1", "3601", "5s"].map((value) => [value, /whole number from 0 to 3600/]),
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
  SAMPLE_CORPUS: onOrOff("sampleCorpus", true, ["yes", "true", "ON", "0"]),
  SEMANTIC: onOrOff("semantic", true, ["yes", "ON"]),
  EMBEDDINGS_URL: {
    member: "embeddingsUrl",
    fallback: undefined,
    beside: { EMBEDDINGS_MODEL: "bge-m3" },
    taken: [["http://localhost:11434/v1", "http://localhost:11434/v1"]],
    refused: [
      ["localhost:11434", /http:\/\/ or https:\/\//],
      ["https://me:secret@embeddings.example/v1", /put a key into EMBEDDINGS_API_KEY/],
    ],
  },
  EMBEDDINGS_MODEL: {
    member: "embeddingsModel",
    fallback: undefined,
    beside: { EMBEDDINGS_URL: "http://localhost:11434/v1" },
    taken: [["intfloat/multilingual-e5-small", "intfloat/multilingual-e5-small"]],
    refused: [],
  },
  EMBEDDINGS_API_KEY: {
    member: "embeddingsApiKey",
    fallback: undefined,
    taken: [["sk-123_abc", "sk-123_abc"]],
    refused: ["two words", "schlüssel"].map((value) => [value, /ASCII letters, digits and signs/]),
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
  WAITING_FACTOR: {
    member: "waitingFactor",
    fallback: 1,
    taken: [
      ["0.001", 0.001],
      ["1000", 1_000],
    ],
    refused: ["0", "0.0001", "1001", "-1", "all"].map((value) => [value, /number from 0.001 to 1000/]),
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
  COMPARISON_LINK_DAYS: {
    member: "comparisonLinkDays",
    fallback: undefined,
    taken: [
      ["1", 1],
      ["36500", 36_500],
    ],
    refused: ["0", "36501", "-1", "1.5", "month"].map((value) => [value, /whole number from 1 to 36500/]),
  },
  STANDING_EXCLUSIONS: {
    member: "standingExclusions",
    fallback: undefined,
    taken: [[EXCLUSIONS, JSON.parse(readFileSync(EXCLUSIONS, "utf8"))]],
    refused: [["/nowhere/exclusions.json", /must name a JSON file \(ENOENT/]],
  },
  KEEP_ORIGINALS: onOrOff("keepOriginals", true, ["yes", "OFF"]),
  OCR: onOrOff("ocr", false, ["yes", "OFF"]),
  OCR_LANGUAGES: {
    member: "ocrLanguages",
    fallback: [],
    taken: [
      ["eng", ["eng"]],
      ["deu, chi_sim", ["deu", "chi_sim"]],
    ],
    refused: ["en", "--eng", "eng+deu"].map((value) => [value, /Tesseract's languages/]),
  },
  OCR_PAGES_MAX: {
    member: "ocrPagesMax",
    fallback: 50,
    taken: [["10000", 10_000]],
    refused: ["0", "10001", "all"].map((value) => [value, /whole number from 1 to 10000/]),
  },
  OCR_PAGE_SECONDS: {
    member: "ocrPageMs",
    fallback: 30_000,
    taken: [["600", 600_000]],
    refused: ["0", "601", "1m"].map((value) => [value, /whole number from 1 to 600/]),
  },
  WEBHOOK_URLS: {
    member: "webhookUrls",
    fallback: [],
    beside: { WEBHOOK_SECRET: SECRET },
    taken: [
      ["https://lms.example/hooks", ["https://lms.example/hooks"]],
      ["https://a.example/1, http://b.example:81/2", ["https://a.example/1", "http://b.example:81/2"]],
    ],
    refused: [
      ["lms.example/hooks", /http:\/\/ or https:\/\//],
      ["https://me:secret@lms.example/hooks", /no user or password: .* WEBHOOK_SECRET/],
      [Array.from({ length: 11 }, (_, at) => `http://a.example/${at}`).join(","), /at most 10 addresses/],
    ],
  },
  WEBHOOK_SECRET: {
    member: "webhookSecret",
    fallback: [],
    beside: { WEBHOOK_URLS: "https://lms.example/hooks" },
    taken: [
      [SECRET, [SECRET]],
      [`${SECRET},${LONGEST_SECRET}`, [SECRET, LONGEST_SECRET]],
    ],
    refused: [
      "whsec_",
      "secret",
      SECRET.slice("whsec_".length),
      `${SECRET}!`,
      `whsec_${Buffer.alloc(23, 7).toString("base64")}`,
      `whsec_${Buffer.alloc(65, 7).toString("base64")}`,
    ].map((value) => [value, /whsec_ followed by 24 to 64 bytes in base64; `echo whsec_/]),
  },
  CORPUS_UPLOAD_LIMIT_BYTES: {
    member: "corpusUploadLimitBytes",
    fallback: 10 * MEBIBYTE,
    taken: [["20971520", 20 * MEBIBYTE]],
    refused: ["0", String(256 * MEBIBYTE + 1), "10MB"].map((value) => [value, /whole number from 1 to/]),
  },
};
