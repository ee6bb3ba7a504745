-- Up Migration

-- The uploaded file of a check, as it came. Lists read its name and size with the check, and never its bytes.
create table check_originals (
  check_id uuid primary key references checks on delete cascade,
  content  bytea not null
);
-- PDF and DOCX are compressed already.
alter table check_originals alter column content set storage external;

-- Null for a check whose file is not kept.
alter table checks
  add column original_filename text,
  add column original_media_type text,
  add column original_size_bytes integer;

-- For the sum of all sizes, which then reads no check.
create index check_original_sizes on checks (original_size_bytes) where original_size_bytes is not null;
