-- The figures for small numbers, which the pages sort by. Null until the next load; until then they are computed when they are asked for.
alter table statistics_rows
  add column rate_shrunken double precision,
  add column rank_low integer,
  add column rank_high integer;
