-- Up Migration

-- Headers, footers and page numbers in the text of a PDF, as flat offsets in UTF-16: shown, but not compared.
alter table checks add column page_margins integer[] not null default '{}';
