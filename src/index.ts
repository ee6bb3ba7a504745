// What the package gives to programs that embed the service, or feed its corpus.
export type { CorpusOptions } from "./app/connect-corpus.ts";
export { type OpenPipeline, openPipeline } from "./app/connect-corpus.ts";
export { type Service, type ServiceOptions, startService } from "./app/wire.ts";
export { DomainError } from "./core/domain-error.ts";
export type {
  Document,
  Ingested,
  IngestIndexInput,
  IngestResult,
  IngestSqlInput,
  Pipeline,
  PipelineDocument,
} from "./corpus/index.ts";
export { type Config, ConfigError, readConfig } from "./platform/config.ts";
export { createLogger, type Logger } from "./platform/logger.ts";
export { openStores, type StoreOptions, type Stores } from "./platform/stores/open-stores.ts";
