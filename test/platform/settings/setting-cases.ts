import { CORE_API_CASES } from "./core-api-cases.ts";
import { LISTENER_CASES } from "./listener-cases.ts";
import type { SettingCases } from "./setting-case.ts";
import { STATISTICS_CASES } from "./statistics-cases.ts";
import { STORE_CASES } from "./store-cases.ts";
import { WATCHING_CASES } from "./watching-cases.ts";
import { WORK_CASES } from "./work-cases.ts";

/** Every setting, in the order of the README. */
export const CASES: SettingCases = {
  ...LISTENER_CASES,
  ...STORE_CASES,
  ...WORK_CASES,
  ...CORE_API_CASES,
  ...STATISTICS_CASES,
  ...WATCHING_CASES,
};
