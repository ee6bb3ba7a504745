// What the package gives to programs that embed the service, or feed its corpus.

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
export { DomainError } from "./platform/domain-error.ts";
export { createLogger, type Logger } from "./platform/logger.ts";
export type { CorpusOptions } from "./service/connect-corpus.ts";
export { type OpenPipeline, openPipeline } from "./service/connect-corpus.ts";
export { type Service, type ServiceOptions, startService } from "./service/wire.ts";
