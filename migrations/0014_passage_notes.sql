-- Up Migration

-- What a reader wrote about a passage. Offsets in code points name it as links and filters do; the document is no reference,
-- because a note stays when its source is deleted.
create table passage_notes (
  check_id    uuid not null references reports on delete cascade,
  document_id uuid not null,
  query_start integer not null,
  query_end   integer not null,
  note        text not null,
  primary key (check_id, document_id, query_start, query_end)
);
