-- Up Migration

-- The models by whose vectors sentences are compared. A model's fingerprints are built beside those of the one before, which
-- checks use until the new ones are complete. Centroids: one signed byte per dimension.
create table semantic_models (
  generation  integer primary key generated always as identity,
  model       text not null,
  dimensions  integer not null,
  centroids   bytea not null,
  calibration jsonb not null,
  is_current  boolean not null default false,
  created_at  timestamptz not null default now()
);
create unique index semantic_models_current on semantic_models (is_current) where is_current;
-- A model can be calibrated anew: its newest generation counts.
create index semantic_models_newest on semantic_models (model, generation);

-- The sentences of a document as fingerprints of their meaning, in sections of up to 64. The layout of the body is that of
-- `sentence-section.ts`. Sections are written as they are computed, so an interrupted document is continued.
create table semantic_sections (
  document_id    uuid not null references documents on delete cascade,
  generation     integer not null references semantic_models on delete cascade,
  start_utf16    integer not null,
  end_utf16      integer not null,
  sentence_count integer not null,
  body           bytea not null,
  primary key (document_id, generation, start_utf16)
) with (toast_tuple_target = 8160);
alter table semantic_sections alter column body set storage external;

-- The documents that are matchable by meaning, with the model of their fingerprints.
create table semantic_documents (
  document_id    uuid not null references documents on delete cascade,
  generation     integer not null references semantic_models on delete cascade,
  sentence_count integer not null,
  encoded_at     timestamptz not null default now(),
  primary key (generation, document_id)
);
create index semantic_documents_newest on semantic_documents (encoded_at);

-- The documents whose sentences are still to be encoded: noted with the writing of their chunks, so that only documents that
-- are matchable by words are here. Without this table, finding them would take a look at all documents.
create table semantic_backlog (
  document_id uuid primary key references documents on delete cascade
);
insert into semantic_backlog select document_id from document_chunks;

-- Whether a check compared the meaning of its text, with how many documents, and why not with all.
alter table reports add column semantic_documents bigint;
alter table reports add column semantic_reason text;
