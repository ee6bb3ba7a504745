export {
  createLoadStatistics,
  type LoadOptions,
  type LoadResult,
  type LoadStatistics,
  type StatisticsFiles,
} from "./load/load-statistics.ts";
export { PART_NAMES as STATISTICS_PARTS, type PartName } from "./load/parts.ts";
export { loadSyntheticSet } from "./load/synthetic-set.ts";
export { grantStatisticsReading, STATISTICS_READER } from "./read-model/grant-reading.ts";
export { STATISTICS_LOADED_CHANNEL, StatisticsStore } from "./read-model/statistics-store.ts";
export {
  createRefreshStatistics,
  FETCH_ORDER,
  OtherRefresh,
  type PartOutcome,
  type RefreshResult,
  type RefreshStatistics,
} from "./refresh-statistics.ts";
export type { SourceSettings } from "./sources/fetching/fetch-context.ts";
