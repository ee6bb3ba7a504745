-- Up Migration

-- The matched text by the closest kind of reuse, as flat offsets like `unique_passages`; it outlives deleted sources as well. Null in
-- reports of earlier releases.
alter table reports add column matched_by_type jsonb;

-- The text that the source explains better than any other, as flat offsets. Null in reports of earlier releases.
alter table report_sources add column exclusive integer[];
