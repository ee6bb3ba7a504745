import type { Config } from "../../../src/platform/config.ts";
import type { SettingCase, SettingCases } from "./setting-case.ts";

/** What the statistics take from their sources, and whom they answer. */
export const STATISTICS_CASES: SettingCases = {
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
};

function webAddress(member: keyof Config, fallback: string): SettingCase {
  return {
    member,
    fallback,
    taken: [["http://mirror.example/api", "http://mirror.example/api"]],
    refused: ["mirror.example", "ftp://mirror.example/"].map((value) => [value, /http:\/\/ or https:\/\//]),
  };
}
