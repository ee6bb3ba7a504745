// What the package gives to programs that embed the service, or feed its corpus.

export type { Document } from "./corpus/documents/document.ts";
export type { Ingested } from "./corpus/ingest/ingest-documents.ts";
export type { IngestResult } from "./corpus/ingest/ingest-tally.ts";
export type { Pipeline, PipelineDocument } from "./corpus/ingest/pipeline.ts";
export type {
  IngestIndexInput,
  IngestOaiInput,
  IngestSqlInput,
} from "./corpus/ingest/records/ingest-sources.ts";
export { type Config, readConfig } from "./platform/config.ts";
export { ConfigError, DomainError } from "./platform/domain-error.ts";
export { createLogger, type Logger } from "./platform/logger.ts";
export type { CorpusOptions } from "./service/connect-corpus.ts";
export { type OpenPipeline, openPipeline } from "./service/connect-corpus.ts";
export { type Service, type ServiceOptions, startService } from "./service/wire.ts";
