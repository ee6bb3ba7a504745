-- Up Migration

-- The tables of release 1.0.0, by topic: corpus, meaning, batches and checks, reports, webhooks, statistics. Later migrations
-- change them; this file stays as it is.


-- Corpus

-- A document of the corpus. A tenant marks an upload through the API; a collection and a path mark a document that was added in
-- bulk (a folder and the file's path in it, a record of another database, or the sample corpus). `text_bytes`: the size of the
-- text in UTF-8, with which the sizes of the stores are compared. `language_origin`: `stated` with the text, `detected` in it, or
-- `default` where neither was possible.
create table documents (
  document_id     uuid primary key,
  tenant          text,
  collection      text,
  path            text,
  filename        text not null,
  title           text not null,
  media_type      text not null,
  language        text not null,
  language_origin text not null,
  source_url      text,
  size_bytes      bigint not null,
  sha256          bytea not null,
  char_count      integer not null,
  word_count      integer not null,
  text_bytes      bigint not null,
  created_at      timestamptz not null default now(),
  check ((tenant is null) = (collection is not null and path is not null))
);
create unique index documents_uploaded_bytes on documents (tenant, sha256) where tenant is not null;
create unique index documents_platform_path on documents (collection, path) where tenant is null;
create index documents_uploaded_newest on documents (tenant, document_id desc) where tenant is not null;

-- The text of a document in sections, each compressed by itself, so that a check reads only the parts of a book that it needs.
-- The program compresses (Brotli): PostgreSQL's own compression leaves English text at 0.7 of its size. Rows of up to a page stay
-- whole: cut into TOAST's pieces of 2 KB they take 4% more room.
create table text_sections (
  document_id  uuid not null references documents on delete cascade,
  start_utf16  integer not null,
  length_utf16 integer not null,
  encoding     text not null check (encoding in ('br', 'utf8')),
  body         bytea not null,
  primary key (document_id, start_utf16)
) with (toast_tuple_target = 8160);
alter table text_sections alter column body set storage external;

-- How a document is cut into chunks, written when its chunks are findable in the index. It stands apart so that a document's own
-- row is written once: updating that row took twice the room. Borders: where each chunk begins, and the text's end, in UTF-16
-- units; in code points only where these differ.
create table document_chunks (
  document_id        uuid primary key references documents on delete cascade,
  chunk_count        integer not null,
  borders            integer[] not null,
  code_point_borders integer[],
  fingerprinted_at   timestamptz not null default now(),
  check (cardinality(borders) = chunk_count + 1),
  check (cardinality(code_point_borders) = chunk_count + 1)
);
-- For what was fingerprinted since a rebuild has looked. The rows of a batch share their time, so an entry takes 9 bytes.
create index document_chunks_newest on document_chunks (fingerprinted_at);

-- The documents without such a row: noted with the document, deleted when its chunks are written. Without this table, finding
-- the few that an interrupted load has left behind would read all documents. It has no key, as it is short whenever it is read:
-- a vacuum gives back the rows of a bulk load, and would leave the pages of an index behind.
-- `accepted_at`: when an upload was accepted; null for platform documents, for which no check waits.
create table pending_documents (
  document_id uuid not null references documents on delete cascade,
  accepted_at timestamptz
);
-- A check waits for the uploads that were accepted before it. The index holds only those, so it stays tiny during a bulk load.
create index pending_uploads on pending_documents (accepted_at) where accepted_at is not null;

-- Deleted documents of which the index may still hold chunks. The trigger sees every deletion: through the API, by an ingest, or
-- by hand. Each note is a row of its own: a document may be noted again while an earlier note is worked off, which must not
-- remove the new one.
create table removed_documents (
  note_id     bigint generated always as identity primary key,
  document_id uuid not null,
  removed_at  timestamptz not null default now()
);
create index removed_documents_by_document on removed_documents (document_id);
create function note_removed_documents() returns trigger language plpgsql as $$
begin
  insert into similarity.removed_documents (document_id)
  select document_id from gone;
  perform pg_notify('similarity_documents_removed', '');
  return null;
end;
$$;
create trigger documents_removed after delete on documents
  referencing old table as gone for each statement execute function note_removed_documents();

-- What was last read into a collection from an index or a database. `newest`: where the next run continues by the field that
-- tells when a record was changed; null until a run is complete.
create table ingested_collections (
  collection text primary key,
  selection  text not null,
  mapping    text not null,
  newest     text
);

-- Shingles that are in so many chunks of the corpus that sharing them says nothing: licence texts, page furniture, set phrases.
-- Checks neither search for them nor report a passage that consists of nothing else.
create table frequent_shingles (
  term      text primary key,
  chunks    bigint not null,
  documents bigint not null
);

-- How `frequent_shingles` was measured. A running service reads the shingles again when `version` changes. Without this row
-- nothing was measured yet.
create table frequency_table (
  only_row       boolean primary key default true check (only_row),
  version        bigint not null,
  measured_at    timestamptz not null,
  sampled_chunks bigint not null,
  chunks         bigint not null,
  chunks_min     bigint not null,
  documents_min  bigint not null,
  terms          bigint not null
);

-- Marks of what is done once in an installation's life, or at most once in a while.
create table milestones (
  name       text primary key,
  detail     text not null,
  reached_at timestamptz not null default now()
);


-- Meaning

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
-- A model can be calibrated again: its newest generation counts.
create index semantic_models_newest on semantic_models (model, generation);

-- The sentences of a document as fingerprints of their meaning, in the layout of `sentence-section.ts`. Sections are written as
-- they are computed, so an interrupted document is continued.
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

-- The documents whose sentences are still to be encoded: noted with the writing of their chunks, so that only documents that are
-- matchable by words are here. Without this table, finding them would read all documents. A document whose sentences could not
-- be encoded waits until `retry_at`, so that it holds up no other one.
create table semantic_backlog (
  document_id uuid primary key references documents on delete cascade,
  retry_at    timestamptz
);


-- Batches and checks

-- Texts that are compared with each other. A batch is complete while none of its members waits to be read or compared.
create table batches (
  batch_id      uuid primary key,
  title         text,
  language      text,
  compare_with  text not null check (compare_with in ('corpus', 'members', 'both')),
  add_to_corpus boolean not null,
  common_share  double precision not null,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  completed_at  timestamptz
);
create index batches_completed on batches (completed_at);

-- Text that was handed out to all members, and so is not compared.
create table batch_templates (
  batch_id uuid not null references batches on delete cascade,
  position integer not null,
  name     text not null,
  language text not null,
  text     text not null,
  primary key (batch_id, position)
);

-- A text that is checked. A member of a batch that could be read is a check, too: lists leave it out, and it is deleted with its
-- batch. Only the runner that set `run_id` last may write, and `progress_seq` numbers the progress messages over all runs.
-- Page margins (headers, footers and page numbers of a PDF) and template spans (text that comes from a template of the batch) are
-- flat offsets in UTF-16 of text that is shown, but not compared. The columns of the original are null if no file is kept.
-- `documents_pending`: uploads that were not compared, because they were still pending when the search began.
create table checks (
  check_id             uuid primary key,
  batch_id             uuid references batches on delete cascade,
  status               text not null default 'pending' check (status in ('pending', 'running', 'complete', 'failed')),
  stage                text check (stage in ('chunking', 'fingerprinting', 'retrieving', 'aligning', 'assembling')),
  title                text,
  language             text not null,
  language_origin      text not null,
  query_text           text not null,
  query_text_preview   text not null,
  page_margins         integer[] not null,
  template_spans       integer[] not null,
  original_filename    text,
  original_media_type  text,
  original_size_bytes  integer,
  char_count           integer not null,
  word_count           integer not null,
  chunks_done          integer not null default 0,
  chunks_total         integer not null default 0,
  documents_pending    integer not null default 0,
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
create index checks_batch on checks (batch_id) where batch_id is not null;
-- For the sum of all sizes, which then reads no check.
create index check_original_sizes on checks (original_size_bytes) where original_size_bytes is not null;

-- The uploaded file of a check, unchanged. Apart from its check, so that lists read its name and size and never its bytes.
create table check_originals (
  check_id uuid primary key references checks on delete cascade,
  content  bytea not null
);
-- PDF and DOCX are compressed already.
alter table check_originals alter column content set storage external;

-- What a running check has retrieved: where its search for each chunk of the query led. The next run continues from there. Deleted
-- when the check ends.
create table check_retrievals (
  check_id    uuid not null references checks on delete cascade,
  query_chunk integer not null,
  is_complete boolean not null,
  candidates  jsonb not null,
  primary key (check_id, query_chunk)
);

-- The sentence vectors of a long text that is being checked, for the next run: 32-bit floats of sentences that follow each other.
-- Deleted when the check ends.
create table check_vectors (
  check_id       uuid not null references checks on delete cascade,
  generation     integer not null references semantic_models on delete cascade,
  first_sentence integer not null,
  vectors        bytea not null,
  primary key (check_id, generation, first_sentence)
);
alter table check_vectors alter column vectors set storage external;

-- The texts of a batch in the order of their arrival. A member is compared with those of lower ordinals, so each pair is aligned
-- once. `part_id` is the first member of those that one job reads and compares. Borders as in `document_chunks`.
create table batch_members (
  member_id          uuid primary key,
  batch_id           uuid not null references batches on delete cascade,
  ordinal            integer not null,
  part_id            uuid not null,
  name               text not null,
  group_name         text,
  status             text not null default 'waiting' check (status in ('waiting', 'read', 'compared', 'failed')),
  check_id           uuid unique references checks on delete cascade,
  error_code         text,
  error_message      text,
  failed_attempts    integer not null default 0,
  char_count         integer not null default 0,
  compared_chars     integer not null default 0,
  borders            integer[],
  code_point_borders integer[],
  shingles           integer[],
  quotations         integer[] not null default '{}',
  common_spans       integer[] not null default '{}',
  sentences_by       integer,
  unique (batch_id, ordinal),
  check ((status = 'failed') = (error_message is not null))
);
create index batch_members_part on batch_members (part_id);
create index batch_members_open on batch_members (batch_id, status) where status in ('waiting', 'read');

-- The files of members until they are read. A text that was sent as JSON needs no reading and has no media type of its own.
create table batch_files (
  member_id uuid primary key references batch_members on delete cascade,
  is_text   boolean not null,
  bytes     bytea not null
);
alter table batch_files alter column bytes set storage external;

-- Two members with text in common. `a` has the lower ordinal and is the source of the alignment, `b` its query. The arrays have an
-- element for each choice of filters: of all passages, without quotations, without common text, and without both. They are the
-- matched characters of each side, the number of passages, and the code points of the longest passage in the text of `b`.
create table batch_pairs (
  batch_id         uuid not null references batches on delete cascade,
  a_id             uuid not null references batch_members on delete cascade,
  b_id             uuid not null references batch_members on delete cascade,
  a_matched        integer[] not null,
  b_matched        integer[] not null,
  passage_counts   integer[] not null,
  longest_passages integer[] not null,
  passages         jsonb not null,
  primary key (a_id, b_id)
);
create index batch_pairs_batch on batch_pairs (batch_id);
create index batch_pairs_b on batch_pairs (b_id);

-- Shingles that many members share. `members` is estimated from a sample of large batches.
create table batch_common_shingles (
  batch_id uuid not null references batches on delete cascade,
  shingle  integer not null,
  members  integer not null,
  primary key (batch_id, shingle)
);

-- The sentences of a member as fingerprints of their meaning, in the layout of `semantic_sections`.
create table batch_sentences (
  member_id      uuid not null references batch_members on delete cascade,
  generation     integer not null references semantic_models on delete cascade,
  start_utf16    integer not null,
  end_utf16      integer not null,
  sentence_count integer not null,
  body           bytea not null,
  primary key (member_id, generation, start_utf16)
);
alter table batch_sentences alter column body set storage external;

-- Deleted members of which the index may still hold chunks, as `removed_documents`.
create table removed_members (
  note_id   bigint generated always as identity primary key,
  member_id uuid not null
);
create function note_removed_members() returns trigger language plpgsql as $$
begin
  insert into similarity.removed_members (member_id) select member_id from gone;
  perform pg_notify('similarity_members_removed', '');
  return null;
end;
$$;
create trigger members_removed after delete on batch_members
  referencing old table as gone for each statement execute function note_removed_members();

-- What a request with this key did: a repeated request gets the same answer. The same key may be used for a check and for a batch.
-- `members_added`: by a request that added members to a batch; 0 for one that created a check or a batch.
create table idempotency_keys (
  kind            text not null check (kind in ('check', 'batch')),
  idempotency_key text not null,
  request_sha256  text not null,
  check_id        uuid references checks on delete cascade,
  batch_id        uuid references batches on delete cascade,
  members_added   integer not null,
  created_at      timestamptz not null default now(),
  primary key (kind, idempotency_key),
  check ((kind = 'check') = (check_id is not null) and (kind = 'batch') = (batch_id is not null))
);
create index idempotency_keys_check on idempotency_keys (check_id) where check_id is not null;
create index idempotency_keys_batch on idempotency_keys (batch_id) where batch_id is not null;


-- Reports

-- What outlives the deletion of a source: the totals and the marked passages. `matched_by_type`: the matched text by the closest
-- kind of reuse, as flat offsets like `unique_passages`. `semantic_documents`: with how many documents the meaning of the text was
-- compared; `semantic_reason`: why not with all.
create table reports (
  check_id           uuid primary key references checks on delete cascade,
  unique_passages    integer[] not null,
  matched_by_type    jsonb not null,
  integrity_flags    jsonb not null,
  checked_chunks     integer not null,
  total_chunks       integer not null,
  corpus_sources     bigint not null,
  semantic_documents bigint not null,
  semantic_reason    text
);

-- A source of a report. `number`: its place in the report, which stays when others are deleted. `exclusive`: the text that it
-- explains better than any other, as flat offsets.
create table report_sources (
  check_id      uuid not null references checks on delete cascade,
  document_id   uuid not null references documents on delete cascade,
  number        integer not null,
  matched_chars integer not null,
  exclusive     integer[] not null,
  passages      jsonb not null,
  primary key (check_id, document_id)
);
create index report_sources_document on report_sources (document_id);

-- Why a report says what it says: how each candidate was retrieved, and which of its matches are not reported and why. It stands
-- apart because only requests with `explain` read it. It holds identifiers and offsets only, and is shown only for documents
-- that are still in the corpus.
create table report_explanations (
  check_id    uuid primary key references reports on delete cascade,
  explanation jsonb not null
);

-- What a reader wrote about a passage. Offsets in code points name it as links and filters do. The document is no foreign key,
-- because a note stays when its source is deleted.
create table passage_notes (
  check_id    uuid not null references reports on delete cascade,
  document_id uuid not null,
  query_start integer not null,
  query_end   integer not null,
  note        text not null,
  primary key (check_id, document_id, query_start, query_end)
);


-- Webhooks

-- An event that is sent to one target, written in the transaction of the change that it reports. Of the waiting deliveries about
-- one object to one target only the first has a job, so they arrive in the order of `seq`. Targets are named by a hash of their
-- address, which may hold a secret. The payload is dropped when the delivery ends; the rest stays for a week.
create table webhook_deliveries (
  delivery_id uuid primary key,
  seq         bigint generated always as identity,
  event_id    uuid not null,
  event_type  text not null,
  target      text not null,
  object_id   uuid not null,
  payload     text,
  created_at  timestamptz not null default now(),
  attempts    integer not null default 0,
  last_fault  text,
  ended_at    timestamptz,
  outcome     text check (outcome in ('delivered', 'given_up')),
  check ((ended_at is null) = (outcome is null) and (ended_at is null) = (payload is not null))
);
create index webhook_deliveries_waiting on webhook_deliveries (target, object_id, seq) where ended_at is null;
create index webhook_deliveries_oldest on webhook_deliveries (created_at) where ended_at is null;
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;


-- Statistics: first what was loaded, part by part, then the read model that each load computes from it

-- Where each part came from. A source without a row was never loaded.
create table statistics_parts (
  source        text primary key,
  input_sha256  text not null,
  is_synthetic  boolean not null,
  name          text not null,
  license       text,
  url           text,
  version       text not null,
  newest_record text,
  retrieved_at  timestamptz not null
);

-- Retracted papers with a core reason, one row each, however many notices they had. The key is `doi:` and the normalised DOI,
-- or `record:` and the Record ID of a paper without one. A paper without a date is in no window.
create table statistics_papers (
  paper_key text primary key,
  year      integer,
  countries text[] not null
);

create table statistics_publications (
  dimension               text not null check (dimension in ('country', 'institution', 'discipline')),
  key                     text collate "C" not null,
  year                    integer not null,
  publications            bigint not null,
  publications_fractional numeric,
  primary key (dimension, key, year)
);

-- What OpenAlex knows of the papers: institutions by the ROR identifiers in the work, and the field.
create table statistics_works (
  doi          text primary key,
  institutions text[] not null,
  field_id     integer
);

-- Names for institutions whose own record is not loaded.
create table statistics_work_institutions (
  ror          text primary key,
  name         text,
  country_code text
);

-- A withdrawn organisation with exactly one successor names it.
create table statistics_organisations (
  ror          text primary key,
  name         text not null,
  country_code text,
  successor    text
);

-- Where the papers and publications of a withdrawn organisation go: its successors, followed to the last.
create table statistics_successions (
  ror       text primary key,
  successor text not null
);

create table statistics_cases (
  case_id     text primary key,
  position    integer not null,
  type        text not null check (type in ('dissertation', 'article', 'book', 'peer_review', 'other')),
  title       text not null,
  year        integer,
  countries   text[] not null,
  institution text,
  discipline  text,
  outcome     text,
  summary     text not null,
  page_title  text not null,
  revision_id bigint not null,
  url         text not null,
  license     text not null
);

create table statistics_news_articles (
  url          text collate "C" primary key,
  seen_at      timestamptz not null,
  title        text not null,
  domain       text not null,
  language     text,
  country_code text
);
create index statistics_news_articles_newest on statistics_news_articles (seen_at desc, url);

create table statistics_news_timeline (
  at        timestamptz primary key,
  mentions  double precision not null,
  monitored double precision not null
);

-- The read model. Its one row changes with every load; readers compare the revision. Without it nothing was loaded yet.
create table statistics_dataset (
  only_row        boolean primary key default true check (only_row),
  revision        bigint not null,
  dataset_version text not null,
  is_synthetic    boolean not null,
  generated_at    timestamptz not null
);

create table statistics_windows (
  window_id   text primary key,
  position    integer not null,
  from_year   integer not null,
  to_year     integer not null,
  provisional boolean not null,
  is_default  boolean not null
);

-- The rows of the three lists, in the order of their answers. `double precision` returns exactly the bits that were computed.
create table statistics_rows (
  window_id               text not null,
  dimension               text not null,
  below                   boolean not null,
  position                integer not null,
  key                     text not null,
  name                    text,
  country_code            text,
  papers                  integer not null,
  publications            bigint not null,
  rate                    double precision,
  rate_ci_low             double precision,
  rate_ci_high            double precision,
  papers_fractional       double precision not null,
  publications_fractional double precision,
  rate_fractional         double precision,
  rank                    integer,
  rank_in_region          integer,
  rank_in_subregion       integer,
  unstable                boolean not null,
  primary key (window_id, dimension, below, position)
);

create table statistics_counts (
  window_id    text not null,
  dimension    text not null,
  total        integer not null,
  ranked       integer not null,
  below        integer not null,
  unattributed integer not null,
  primary key (window_id, dimension)
);

create table statistics_country_years (
  code         text not null,
  year         integer not null,
  papers       integer not null,
  publications bigint not null,
  rate         double precision,
  primary key (code, year)
);

create table statistics_comparisons (
  window_id          text not null,
  code               text not null,
  subregion          text,
  pooled_rate        double precision,
  median_rate        double precision,
  rate_ratio         double precision,
  rate_ratio_ci_low  double precision,
  rate_ratio_ci_high double precision,
  primary key (window_id, code)
);

-- How many requests each client has made in its current minute, over all replicas of the statistics API. The columns and
-- their order are those of rate-limiter-flexible; `expire` is in milliseconds since 1970. Nothing here outlives a minute, so
-- the table is not logged: a write costs no disk, and a crash of the server empties it. The free room in each page lets a
-- row be counted up in place.
create unlogged table statistics_request_counts (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 50);
