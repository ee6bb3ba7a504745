-- How the text of the pages of a document was read, as `page_notes` of checks. Null for documents without notes and for earlier ones.
alter table documents add column page_notes jsonb;
