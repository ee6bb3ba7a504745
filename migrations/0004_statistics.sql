-- Up Migration

-- The statistics service. First what was loaded, part by part, then the read model that each load computes from it.

-- Where each part came from. A source without a row was never loaded.
create table statistics_parts (
  source        text primary key,
  input_sha256  text not null,
  is_synthetic  boolean not null,
  name          text not null,
  license       text,
  url           text,
  version       text not null,
  newest_record text,
  retrieved_at  timestamptz not null
);

-- Retracted papers with a core reason, one row each, however many notices they had. The key is `doi:` and the normalised DOI,
-- or `record:` and the Record ID of a paper without one. A paper without a date stands in no window.
create table statistics_papers (
  paper_key text primary key,
  year      integer,
  countries text[] not null
);

create table statistics_publications (
  dimension               text not null check (dimension in ('country', 'institution', 'discipline')),
  key                     text collate "C" not null,
  year                    integer not null,
  publications            bigint not null,
  publications_fractional numeric,
  primary key (dimension, key, year)
);

-- What OpenAlex knows of the papers: institutions as their ROR ids stand in the work, and the field.
create table statistics_works (
  doi          text primary key,
  institutions text[] not null,
  field_id     integer
);

-- Names for institutions whose own record is not loaded.
create table statistics_work_institutions (
  ror          text primary key,
  name         text,
  country_code text
);

-- A withdrawn organisation with exactly one successor names it.
create table statistics_organisations (
  ror          text primary key,
  name         text not null,
  country_code text,
  successor    text
);

-- Where the papers and publications of a withdrawn organisation go: its successors, followed to the last.
create table statistics_successions (
  ror       text primary key,
  successor text not null
);

create table statistics_cases (
  case_id     text primary key,
  position    integer not null,
  type        text not null check (type in ('dissertation', 'article', 'book', 'peer_review', 'other')),
  title       text not null,
  year        integer,
  countries   text[] not null,
  institution text,
  discipline  text,
  outcome     text,
  summary     text not null,
  page_title  text not null,
  revision_id bigint not null,
  url         text not null,
  license     text not null
);

create table statistics_news_articles (
  url          text collate "C" primary key,
  seen_at      timestamptz not null,
  title        text not null,
  domain       text not null,
  language     text,
  country_code text
);
create index statistics_news_articles_newest on statistics_news_articles (seen_at desc, url);

create table statistics_news_timeline (
  at        timestamptz primary key,
  mentions  double precision not null,
  monitored double precision not null
);

-- The read model. Its one row changes with every load; readers compare the revision. Without it nothing was loaded yet.
create table statistics_dataset (
  only_row        boolean primary key default true check (only_row),
  revision        bigint not null,
  dataset_version text not null,
  is_synthetic    boolean not null,
  generated_at    timestamptz not null
);

create table statistics_windows (
  window_id   text primary key,
  position    integer not null,
  from_year   integer not null,
  to_year     integer not null,
  provisional boolean not null,
  is_default  boolean not null
);

-- The rows of the three lists, in the order of their answers. `double precision` gives back the very bits that were computed.
create table statistics_rows (
  window_id               text not null,
  dimension               text not null,
  below                   boolean not null,
  position                integer not null,
  key                     text not null,
  name                    text,
  country_code            text,
  papers                  integer not null,
  publications            bigint not null,
  rate                    double precision,
  rate_ci_low             double precision,
  rate_ci_high            double precision,
  papers_fractional       double precision not null,
  publications_fractional double precision,
  rate_fractional         double precision,
  rank                    integer,
  rank_in_region          integer,
  rank_in_subregion       integer,
  unstable                boolean not null,
  primary key (window_id, dimension, below, position)
);

create table statistics_counts (
  window_id    text not null,
  dimension    text not null,
  total        integer not null,
  ranked       integer not null,
  below        integer not null,
  unattributed integer not null,
  primary key (window_id, dimension)
);

create table statistics_country_years (
  code         text not null,
  year         integer not null,
  papers       integer not null,
  publications bigint not null,
  rate         double precision,
  primary key (code, year)
);

create table statistics_comparisons (
  window_id          text not null,
  code               text not null,
  subregion          text,
  pooled_rate        double precision,
  median_rate        double precision,
  rate_ratio         double precision,
  rate_ratio_ci_low  double precision,
  rate_ratio_ci_high double precision,
  primary key (window_id, code)
);
