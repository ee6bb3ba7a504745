import { anyText, type SettingCases } from "./setting-case.ts";

/** The listener for plug-ins that speak the Turnitin Core API. */
export const CORE_API_CASES: SettingCases = {
  CORE_API_PORT: {
    member: "coreApiPort",
    fallback: undefined,
    beside: { CORE_API_PUBLIC_URL: "https://checks.example", CORE_API_KEYS_FILE: "keys.json" },
    taken: [
      ["8082", 8082],
      ["0", 0],
    ],
    refused: ["65536", "-1", "x"].map((value) => [value, /whole number from 0 to 65535/]),
  },
  CORE_API_PUBLIC_URL: {
    member: "coreApiPublicUrl",
    fallback: undefined,
    taken: [
      ["https://checks.example", "https://checks.example"],
      ["https://checks.example/plag/", "https://checks.example/plag"],
    ],
    refused: [["checks.example", /http:\/\/ or https:\/\//]],
  },
  CORE_API_KEYS_FILE: anyText("coreApiKeysFile", "/etc/similarity/keys.json"),
  CORE_API_WEBHOOK_HOSTS: {
    member: "coreApiWebhookHosts",
    fallback: [],
    taken: [
      ["moodle.example.org", ["moodle.example.org"]],
      ["*.example.org, 10.0.0.0/8,::1", ["*.example.org", "10.0.0.0/8", "::1"]],
    ],
    refused: ["*", "https://moodle.example.org", "10.0.0.0/40"].map((value) => [
      value,
      /host names, addresses or CIDR/,
    ]),
  },
  CORE_API_EULA_FILE: anyText("coreApiEulaFile", "/etc/similarity/terms.txt"),
  CORE_API_RATE_LIMIT: {
    member: "coreApiRateLimit",
    fallback: 1_200,
    taken: [["60", 60]],
    refused: ["0", "x"].map((value) => [value, /whole number from 1 to/]),
  },
  CORE_API_RETENTION_DAYS: {
    member: "coreApiRetentionDays",
    fallback: undefined,
    taken: [["365", 365]],
    refused: ["0", "36501"].map((value) => [value, /whole number from 1 to 36500/]),
  },
};
