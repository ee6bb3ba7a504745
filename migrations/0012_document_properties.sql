-- The title and the author that files state for themselves.
alter table checks add column document_title text, add column document_author text;
alter table documents add column author text;

-- Comparisons of two texts that somebody has made a link to: both texts and their passages, compressed.
create table comparison_links (
    comparison_id uuid primary key,
    created_at timestamptz not null default now(),
    content bytea not null
);
alter table comparison_links alter column content set storage external;
create index comparison_links_by_age on comparison_links (created_at);
