import type { Config } from "../platform/config.ts";
import { openSearchAccess } from "../platform/opensearch/access.ts";
import { connectOpenSearch } from "../platform/opensearch/opensearch.ts";
import { requireSupportedVersion } from "../platform/opensearch/supported-version.ts";
import { rethrowRefused } from "../platform/postgres/database.ts";
import { assertSupported } from "../platform/postgres/migrate.ts";
import { Session } from "../platform/postgres/session.ts";

/**
 * Connects to the stores that have an address. A start does so before its longer work, such as starting the other store.
 * @throws ConfigError for a wrong password, database or version; DomainError `store_unavailable`
 */
export async function checkGivenStores(config: Config): Promise<void> {
  const { databaseUrl, statisticsDatabaseUrl, opensearchUrls } = config;
  if (databaseUrl !== undefined) {
    await checkPostgres(databaseUrl, "DATABASE_URL");
    if (statisticsDatabaseUrl !== undefined && config.roles.includes("statistics"))
      await checkPostgres(statisticsDatabaseUrl, "STATISTICS_DATABASE_URL");
  }
  if (opensearchUrls !== undefined) {
    const opensearch = connectOpenSearch(opensearchUrls, openSearchAccess(config));
    try {
      // The start itself passes warnings on.
      await requireSupportedVersion(opensearch, opensearchUrls, { warn: () => undefined });
    } finally {
      await opensearch.close();
    }
  }
}

async function checkPostgres(url: string, setting: Parameters<typeof rethrowRefused>[0]): Promise<void> {
  const session = await Session.open(url).catch(rethrowRefused(setting));
  try {
    await assertSupported(session);
  } finally {
    await session.close();
  }
}
