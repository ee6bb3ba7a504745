import { pino } from "pino";
import { readConfig } from "../../src/platform/config.ts";
import { openComputePool } from "../../src/service/compute-pool.ts";
import { type Service, type ServiceOptions, startService } from "../../src/service/wire.ts";
import { prepareEncoder } from "../../tools/encoder/prepare-encoder.ts";
import { freshPrefix, migratedDatabase, onServiceIndices, testStores } from "./stores.ts";

/** A running service on stores of its own, spoken to as a client would. */
export type TestService = {
  readonly base: string;
  readonly options: ServiceOptions;
  readonly service: Service;
  readonly stop: () => Promise<void>;
};

/** Starting threads takes a second and more, so the services of a process share them. */
let compute: ReturnType<typeof openComputePool> | undefined;

/** Options that decide which indices a service has, and how they are made. */
const INDEX_OPTIONS = ["databaseUrl", "opensearchIndexPrefix", "indexShards", "indexReplicas"] as const;

/** Starts a service with its own database and indices, or on those of another one. */
export async function startTestService(changes: Partial<ServiceOptions> = {}): Promise<TestService> {
  const isUsual = INDEX_OPTIONS.every((option) => changes[option] === undefined);
  return isUsual ? onServiceIndices((prefix) => start(changes, prefix)) : start(changes, freshPrefix());
}

async function start(changes: Partial<ServiceOptions>, opensearchIndexPrefix: string): Promise<TestService> {
  const { opensearchNodes } = await testStores();
  compute ??= openComputePool();
  const options: ServiceOptions = {
    compute,
    prepareEncoder,
    ...readConfig({ SEMANTIC: "off" }),
    host: "127.0.0.1",
    enginePort: 0,
    statisticsPort: 0,
    statisticsRateLimit: 120,
    trustedProxies: [],
    databaseUrl: changes.databaseUrl ?? (await migratedDatabase()),
    opensearchNodes,
    opensearchIndexPrefix,
    roles: ["engine", "worker"],
    checkTimeBudgetMs: 120_000,
    checkConcurrency: 2,
    corpusUploadLimitBytes: 10 * 1024 * 1024,
    ...changes,
  };
  const service = await startService(options, pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" }));
  return { base: service.engine?.address ?? "", options, service, stop: () => service.stop() };
}
