-- Up Migration

-- Shingles that stand in so many chunks of the corpus that sharing them says nothing: licence texts, page furniture, set
-- phrases. Checks neither search for them nor report a passage that consists of nothing else.
create table frequent_shingles (
  term      text primary key,
  chunks    bigint not null,
  documents bigint not null
);

-- How the table came about, and a number that changes with it, by which a running service sees that it has to read it
-- again. Without this row nothing was measured yet.
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
