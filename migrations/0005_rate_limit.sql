-- Up Migration

-- How many requests each client has made in its present minute, over all replicas of the statistics API. The columns and
-- their order are those of rate-limiter-flexible; `expire` is in milliseconds since 1970. Nothing here outlives a minute, so
-- the table is not logged: a write costs no disk, and a crash of the server empties it. The free room in each page lets a
-- row be counted up in place.
create unlogged table statistics_request_counts (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 50);
