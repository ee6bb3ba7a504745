import type { SettingCases } from "./setting-case.ts";

const PORT = /whole number from 0 to 65535/;

/** Where the service listens, and under which names. */
export const LISTENER_CASES: SettingCases = {
  HOST: {
    member: "host",
    fallback: "127.0.0.1",
    taken: [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
    ],
    // Whether it is an address of this machine shows when the listener opens: test/system/start.long.test.ts.
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
};
