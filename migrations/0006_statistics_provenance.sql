-- The sentence of a case that says plagiarism, and what it says. Cases of earlier loads have none and are not shown; the next load
-- reads their page again. `revised_at`: when the revision was saved, if the file says so.
alter table statistics_cases
  add column finding text check (finding in ('found', 'stated', 'alleged')),
  add column statement text,
  add column revised_at timestamptz;

-- How many things of each kind the last load of a part has found: a refresh is compared with it. Null for loads of earlier releases,
-- of which the papers can still be counted.
alter table statistics_parts add column counts jsonb;
update statistics_parts
   set counts = (select jsonb_build_object('papers', count(*)) from statistics_papers)
 where source = 'retraction-watch' and not is_synthetic;

-- The last time that a refresh tried to fetch and load a source; `failure` says why its old data stayed.
create table statistics_attempts (
  source       text primary key,
  attempted_at timestamptz not null,
  failure      text
);

-- Copies of versions that were replaced, so that a request can name one: each table, or piece of a table, as compressed JSON. Equal
-- contents of several versions are stored once.
create table statistics_versions (
  dataset_version text primary key,
  replaced_at     timestamptz not null
);
create table statistics_kept_contents (
  sha256  text primary key,
  content bytea not null
);
create table statistics_kept_tables (
  dataset_version text not null references statistics_versions on delete cascade,
  table_name      text not null,
  piece           text not null,
  sha256          text not null references statistics_kept_contents,
  primary key (dataset_version, table_name, piece)
);

-- What people need to check a paper: of all its notices, the first title and date, the DOIs and the reasons. Null until the next load.
alter table statistics_papers
  add column title text,
  add column notice_dois text[],
  add column noticed_on date,
  add column reasons text[];
