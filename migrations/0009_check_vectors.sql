-- Up Migration

-- The sentence vectors of a long text that is being checked, so that a run that is cut off costs the next one little
-- encoding: 32-bit floats of some sentences that follow each other. Gone when the check ends.
create table check_vectors (
  check_id       uuid not null references checks on delete cascade,
  generation     integer not null references semantic_models on delete cascade,
  first_sentence integer not null,
  vectors        bytea not null,
  primary key (check_id, generation, first_sentence)
);
alter table check_vectors alter column vectors set storage external;
