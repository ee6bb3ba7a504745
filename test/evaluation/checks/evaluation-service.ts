import { pino } from "pino";
import { openPipeline } from "../../../src/app/connect-corpus.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { loadTexts, type NamedText } from "./load-texts.ts";

/** A service as users run it, over a corpus that holds nothing but the given texts. */
export type EvaluationService = {
  readonly client: ServiceProcess["client"];
  readonly database: Database;
  /** By document identifier. */
  readonly documents: ReadonlyMap<string, NamedText>;
};

/**
 * Loads the texts into a database and an index of their own, in the stores that the tests use, starts the service over
 * them and runs `work`. Database and index stay until `mochaGlobalTeardown`.
 */
export async function withEvaluationService<R>(
  texts: AsyncIterable<NamedText>,
  say: (line: string) => void,
  work: (service: EvaluationService) => Promise<R>,
): Promise<R> {
  const { opensearchNodes } = await testStores();
  const databaseUrl = await freshDatabase("evaluation");
  const opensearchIndexPrefix = freshPrefix();
  const log = pino({ level: "warn" }, pino.destination(2));
  const pipeline = await openPipeline({ databaseUrl, opensearchNodes, opensearchIndexPrefix }, log);
  const documents = await loadTexts(pipeline, texts, say).finally(() => pipeline.close());

  const service = await ServiceProcess.start({
    DATABASE_URL: databaseUrl,
    OPENSEARCH_URL: opensearchNodes.join(","),
    OPENSEARCH_INDEX_PREFIX: opensearchIndexPrefix,
    LOG_LEVEL: "warn",
  });
  const database = new Database(databaseUrl, log);
  try {
    return await work({ client: service.client, database, documents });
  } finally {
    await database.close();
    await service.end("SIGTERM");
  }
}
