-- Up Migration

-- What was last read into a collection from an index or a database. `newest`: where the next run continues by the field that
-- tells when a record was changed; null until a run is complete.
create table ingested_collections (
  collection  text primary key,
  selection   text not null,
  mapping     text not null,
  newest      text
);
