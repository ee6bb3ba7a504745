-- Up Migration

-- The place of a source in its report, which stays when others are deleted. Null in reports of earlier releases.
alter table report_sources add column number integer;
