-- Up Migration

-- How many members a request with this key added, which a repeated request is told again; 0 for a request that created the batch.
alter table batch_idempotency_keys add column members_added integer not null default 0;
