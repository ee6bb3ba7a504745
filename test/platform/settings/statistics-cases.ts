import { fileURLToPath } from "node:url";
import { anyText, type SettingCases } from "./setting-case.ts";

const EXAMPLE = fileURLToPath(new URL("./statistics-sources.json", import.meta.url));

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
  CONTACT: anyText("contact", "me@example.org"),
  OPENALEX_API_KEY: anyText("openalexApiKey", "abc123"),
  STATISTICS_SOURCES: {
    member: "statisticsSources",
    fallback: undefined,
    taken: [[EXAMPLE, EXAMPLE]],
    refused: [
      ["/nowhere/sources.json", /must name a JSON file \(ENOENT/],
      [import.meta.filename, /must name a JSON file/],
    ],
  },
};
