-- Up Migration

-- A document whose sentences could not be encoded waits until then, so that it holds up no other one.
alter table semantic_backlog add column retry_at timestamptz;
