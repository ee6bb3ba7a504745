-- Up Migration

-- Texts that are compared with each other. A batch is complete while none of its members is waiting to be read or compared.
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

-- A member that could be read is a check. Lists of checks leave members out, and they are deleted with their batch.
-- Template spans: flat offsets in UTF-16 of the text that comes from a template: shown, but not compared.
alter table checks add column batch_id uuid references batches on delete cascade;
alter table checks add column template_spans integer[] not null default '{}';
create index checks_batch on checks (batch_id) where batch_id is not null;

-- The texts of a batch in the order of their arrival. A member is compared with those of lower ordinals, so each pair is
-- aligned once. `part_id` is the first member of those that one job reads and compares. Borders as in `document_chunks`.
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

-- The files of members until these are read. A text that was sent as JSON needs no reading and has no media type of its own.
create table batch_files (
  member_id uuid primary key references batch_members on delete cascade,
  is_text   boolean not null,
  bytes     bytea not null
);
alter table batch_files alter column bytes set storage external;

-- Two members with text in common. `a` has the lower ordinal and is the source of the alignment, `b` its query. The matched
-- characters are those of each side: of all passages, without quotations, without common text, and without both.
create table batch_pairs (
  batch_id      uuid not null references batches on delete cascade,
  a_id          uuid not null references batch_members on delete cascade,
  b_id          uuid not null references batch_members on delete cascade,
  a_matched     integer[] not null,
  b_matched     integer[] not null,
  passage_count integer not null,
  longest_chars integer not null,
  passages      jsonb not null,
  primary key (a_id, b_id)
);
create index batch_pairs_batch on batch_pairs (batch_id);
create index batch_pairs_b on batch_pairs (b_id);

-- Shingles that many members share: `members` is estimated from a sample of large batches.
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

-- A repeated request with the same key gives the same batch.
create table batch_idempotency_keys (
  idempotency_key text primary key,
  request_sha256  text not null,
  batch_id        uuid not null references batches on delete cascade,
  created_at      timestamptz not null default now()
);

-- Members that are gone while the index may still hold chunks of them, as `removed_documents`.
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
