-- Whose text it is and what it belongs to, as strings of the caller's choice. An upload may name a collection; it has no path there.
alter table documents add column group_name text, add column owner text;
create index documents_collection on documents (collection) where collection is not null;

-- The documents that a check leaves out (those of its `owner` or its group), and the only collections that it is compared with; null: all.
-- The group has another name than that of a member of a batch: statements join both tables.
alter table checks
  add column check_group text,
  add column owner text,
  add column leave_out text check (leave_out in ('owner', 'group')),
  add column collections text[],
  add check (leave_out is distinct from 'owner' or owner is not null),
  add check (leave_out is distinct from 'group' or check_group is not null);

-- What a reader has kept of a report: a status, a comment, the filters, the score with them, and the time of the last change. Null until then.
alter table checks add column review jsonb;
