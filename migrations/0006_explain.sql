-- Up Migration

-- Why a report says what it says: for each document that was a candidate how it was retrieved, and which of its matches
-- are not reported and why. Only reports that are asked to explain themselves read it, so it stands apart. Identifiers and
-- offsets only; what is said of a document is shown as long as that is in the corpus.
create table report_explanations (
  check_id    uuid primary key references reports on delete cascade,
  explanation jsonb not null
);
