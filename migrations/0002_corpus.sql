-- Up Migration

-- How a document is cut into chunks, written when its chunks are findable in the index: a document without this row is
-- pending. It stands apart so that a document's own row is written once: rewriting that to mark it took twice the room.
-- Borders: where each chunk begins, and the text's end, in UTF-16 units; in code points only where these differ.
create table document_chunks (
  document_id          uuid primary key references documents on delete cascade,
  chunk_count          integer not null,
  borders              integer[] not null,
  code_point_borders   integer[],
  fingerprinted_at     timestamptz not null default now(),
  check (cardinality(borders) = chunk_count + 1),
  check (cardinality(code_point_borders) = chunk_count + 1)
);
-- What was fingerprinted since a rebuild has looked: the rows of a batch share their time, so an entry takes 9 bytes.
create index document_chunks_newest on document_chunks (fingerprinted_at);

-- The documents without such a row: noted with the document, forgotten with the writing of its chunks. Without this table,
-- finding the few that an interrupted load has left behind would take a look at all documents. It has no key, as it is short
-- whenever it is read: a vacuum gives back the rows of a bulk load, and would leave the pages of an index behind.
create table pending_documents (
  document_id uuid not null references documents on delete cascade
);
insert into pending_documents select document_id from documents;

-- The text of a document in sections, each compressed by itself: what is read of a book is what a check needs of it.
-- The program compresses (Brotli), as PostgreSQL's own compression leaves English text at 0.7 of its size. Rows of up to
-- a page stay whole: cut into TOAST's pieces of 2 KB they take 4% more room.
create table text_sections (
  document_id  uuid not null references documents on delete cascade,
  start_utf16  integer not null,
  length_utf16 integer not null,
  encoding     text not null check (encoding in ('br', 'utf8')),
  body         bytea not null,
  primary key (document_id, start_utf16)
) with (toast_tuple_target = 8160);
alter table text_sections alter column body set storage external;

alter table documents alter column sha256 type bytea using decode(sha256, 'hex');

-- The size of the text in UTF-8, against which the stores are measured.
alter table documents add column text_bytes bigint;
update documents set text_bytes = octet_length(extracted_text)
  from document_texts where document_texts.document_id = documents.document_id;
alter table documents alter column text_bytes set not null;

-- A text of the first release becomes one section. Its documents are pending again: their chunks are made anew.
insert into text_sections (document_id, start_utf16, length_utf16, encoding, body)
select document_id, 0,
       char_length(extracted_text) + char_length(regexp_replace(extracted_text, '[^\U00010000-\U0010FFFF]', '', 'g')),
       'utf8', convert_to(extracted_text, 'UTF8')
  from document_texts where extracted_text <> '';
drop table document_texts;
alter table documents
  drop column chunk_count,
  drop column fingerprint_status,
  drop column fingerprinted_at;

-- Documents that are gone while the index may still hold chunks of them. The trigger sees every way of removing one:
-- through the API, by a folder ingest, or by hand. A document may be noted again while an earlier note of it is worked
-- off: that one must not take the new one with it, so each note is a row of its own.
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
