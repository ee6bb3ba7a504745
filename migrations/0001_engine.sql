-- Up Migration

-- A document of the corpus. A tenant marks what was uploaded through the API; a collection and a path mark
-- what came in bulk (a folder and the file's path in it, or the sample corpus).
create table documents (
  document_id        uuid primary key,
  tenant             text,
  collection         text,
  path               text,
  filename           text not null,
  title              text not null,
  media_type         text not null,
  language           text not null,
  source_url         text,
  size_bytes         bigint not null,
  sha256             text not null,
  char_count         integer not null,
  word_count         integer not null,
  chunk_count        integer not null default 0,
  fingerprint_status text not null default 'pending' check (fingerprint_status in ('pending', 'fingerprinted')),
  created_at         timestamptz not null default now(),
  fingerprinted_at   timestamptz,
  check ((tenant is null) = (collection is not null and path is not null)),
  check ((fingerprint_status = 'fingerprinted') = (fingerprinted_at is not null))
);
create unique index documents_uploaded_bytes on documents (tenant, sha256) where tenant is not null;
create unique index documents_platform_path on documents (collection, path) where tenant is null;
create index documents_uploaded_newest on documents (tenant, document_id desc) where tenant is not null;
create index documents_pending on documents (document_id) where fingerprint_status = 'pending';

-- Apart from its metadata, so that lists and counts never read a text.
create table document_texts (
  document_id    uuid primary key references documents on delete cascade,
  extracted_text text not null
);

-- run_id fences a check's work: only the runner that set it last may write.
-- progress_seq numbers the progress messages of a check, over all its runs.
create table checks (
  check_id             uuid primary key,
  status               text not null default 'pending' check (status in ('pending', 'running', 'complete', 'failed')),
  stage                text check (stage in ('chunking', 'fingerprinting', 'retrieving', 'aligning', 'assembling')),
  title                text,
  language             text not null,
  query_text           text not null,
  query_text_preview   text not null,
  char_count           integer not null,
  word_count           integer not null,
  chunks_done          integer not null default 0,
  chunks_total         integer not null default 0,
  total_matched_chars  integer,
  coverage             text check (coverage in ('full', 'partial')),
  error_message        text,
  created_at           timestamptz not null default now(),
  started_at           timestamptz,
  completed_at         timestamptz,
  updated_at           timestamptz not null default now(),
  run_id               uuid,
  progress_seq         integer not null default 0,
  failed_attempts      integer not null default 0,
  interruptions        integer not null default 0,
  retrieving_ms        integer not null default 0,
  check ((stage is not null) <= (status = 'running')),
  check ((status = 'complete') = (total_matched_chars is not null and coverage is not null)),
  check ((status = 'failed') = (error_message is not null))
);
create index checks_completed on checks (completed_at desc) where status = 'complete';
create index checks_created on checks (created_at);

create table idempotency_keys (
  idempotency_key text primary key,
  request_sha256  text not null,
  check_id        uuid not null references checks on delete cascade,
  created_at      timestamptz not null default now()
);
create index idempotency_keys_check on idempotency_keys (check_id);

-- What outlives the deletion of a source: the totals and the marked passages.
create table reports (
  check_id        uuid primary key references checks on delete cascade,
  unique_passages integer[] not null,
  integrity_flags jsonb not null,
  checked_chunks  integer not null,
  total_chunks    integer not null,
  corpus_sources  bigint not null
);

create table report_sources (
  check_id      uuid not null references checks on delete cascade,
  document_id   uuid not null references documents on delete cascade,
  matched_chars integer not null,
  passages      jsonb not null,
  primary key (check_id, document_id)
);
create index report_sources_document on report_sources (document_id);

-- What a running check has retrieved: where its search for each chunk of the query led. A run that is cut off costs the
-- next one nothing of it. Gone when the check ends.
create table check_retrievals (
  check_id    uuid not null references checks on delete cascade,
  query_chunk integer not null,
  is_complete boolean not null,
  candidates  jsonb not null,
  primary key (check_id, query_chunk)
);

-- Marks of things that are done once in an installation's life.
create table milestones (
  name       text primary key,
  detail     text not null,
  reached_at timestamptz not null default now()
);
