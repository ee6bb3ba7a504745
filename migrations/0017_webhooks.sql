-- Up Migration

-- An event that is sent to one target, written in the transaction of the change that it reports. Of the waiting deliveries
-- about one object to one target only the first has a job, so they arrive in the order of `seq`. Targets are named by a hash
-- of their address, which may hold a secret. The payload is dropped when the delivery ends; the rest stays for a week.
create table webhook_deliveries (
  delivery_id uuid primary key,
  seq         bigint generated always as identity,
  event_id    uuid not null,
  event_type  text not null,
  target      text not null,
  object_id   uuid not null,
  payload     text,
  created_at  timestamptz not null default now(),
  attempts    integer not null default 0,
  last_fault  text,
  ended_at    timestamptz,
  outcome     text check (outcome in ('delivered', 'given_up')),
  check ((ended_at is null) = (outcome is null) and (ended_at is null) = (payload is not null))
);
create index webhook_deliveries_waiting on webhook_deliveries (target, object_id, seq) where ended_at is null;
create index webhook_deliveries_oldest on webhook_deliveries (created_at) where ended_at is null;
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
