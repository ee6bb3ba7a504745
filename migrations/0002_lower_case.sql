-- Lower case of all scripts, for searches and sorting, whatever the locale of the database. The order is that of the argument's
-- collation, so statements that sort name one.
-- PostgreSQL has its own collation for this since 17. ICU's takes two to three times as long. The functions are inlined in queries.

do $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    create function lower_case(value text) returns text language sql immutable parallel safe
      as 'select lower(value collate pg_c_utf8)';
  else
    create function lower_case(value text) returns text language sql immutable parallel safe
      as 'select lower(value collate "und-x-icu") collate "C"';
  end if;
end
$$;
