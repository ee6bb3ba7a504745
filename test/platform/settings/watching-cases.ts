import type { SettingCases } from "./setting-case.ts";

/** What those who operate the service see of it. */
export const WATCHING_CASES: SettingCases = {
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
