-- Submissions of plug-ins that speak the Turnitin Core API. Each key sees only its own rows.

-- A submitted text, or a file that was handed out to a group (`attachment_of`), which is not compared.
create table core_api_submissions (
  submission_id uuid primary key,
  key_name      text not null,
  attachment_of text,
  owner         text,
  submitter     text,
  group_id      text,
  context_id    text,
  title         text not null,
  status        text not null default 'CREATED' check (status in ('CREATED', 'PROCESSING', 'COMPLETE', 'ERROR')),
  error_code    text,
  created_at    timestamptz not null default now(),
  -- The upload whose text counts: a later one replaces it.
  upload_id     uuid,
  uploaded_at   timestamptz,
  filename      text,
  content_type  text,
  word_count    integer,
  char_count    integer,
  text          text,
  page_margins  integer[] not null default '{}',
  -- The report that was requested last.
  report_status text check (report_status in ('REQUESTED', 'CHECKING', 'COMPLETE')),
  requested_at  timestamptz,
  request       jsonb,
  -- Whether the check of this request failed before.
  retried       boolean not null default false,
  check_id      uuid,
  -- Documents that are never shown: the submission itself, own work, and texts of other keys.
  hidden        uuid[] not null default '{}',
  -- The filters in force, with what readers excluded.
  view          jsonb,
  similarity    jsonb,
  -- The document in the corpus, if the text was added to it.
  document_id   uuid,
  check ((status = 'ERROR') = (error_code is not null))
);
create index core_api_submissions_key on core_api_submissions (key_name, owner);
create index core_api_submissions_group on core_api_submissions (key_name, group_id);
create index core_api_submissions_age on core_api_submissions (created_at);
create index core_api_submissions_document on core_api_submissions (document_id) where document_id is not null;
create index core_api_submissions_check on core_api_submissions (check_id) where check_id is not null;
create index core_api_submissions_unfinished on core_api_submissions (requested_at)
  where report_status in ('REQUESTED', 'CHECKING');
create index core_api_submissions_attachment on core_api_submissions (key_name, attachment_of)
  where attachment_of is not null;

create table core_api_webhooks (
  webhook_id     uuid primary key,
  key_name       text not null,
  url            text not null,
  description    text,
  event_types    text[] not null,
  allow_insecure boolean not null,
  signing_secret text not null,
  created_at     timestamptz not null default now(),
  unique (key_name, url)
);

-- Events that wait for their delivery. A row is deleted once it was delivered or given up.
create table core_api_events (
  event_id      uuid primary key,
  webhook_id    uuid not null references core_api_webhooks on update cascade on delete cascade,
  submission_id uuid not null references core_api_submissions on delete cascade,
  event_type    text not null,
  body          text not null,
  created_at    timestamptz not null default now(),
  due_at        timestamptz not null,
  attempts      integer not null default 0,
  sending_since timestamptz,
  -- Whether a later event about the same was recorded while this one was being sent: it is not sent again.
  outdated      boolean not null default false
);
create index core_api_events_due on core_api_events (due_at);
create index core_api_events_sending on core_api_events (sending_since) where sending_since is not null;
create index core_api_events_webhook on core_api_events (webhook_id);
create index core_api_events_submission on core_api_events (submission_id);

-- Links to one report each. Only hashes are kept: a copy of the table opens nothing.
create table core_api_viewer_links (
  link_sha256    bytea primary key,
  submission_id  uuid not null references core_api_submissions on delete cascade,
  permissions    jsonb not null,
  expires_at     timestamptz not null,
  session_sha256 bytea
);
create index core_api_viewer_links_submission on core_api_viewer_links (submission_id);
create index core_api_viewer_links_expiry on core_api_viewer_links (expires_at);

create table core_api_eula_acceptances (
  key_name    text not null,
  user_id     text not null,
  version     text not null,
  language    text,
  accepted_at timestamptz not null,
  primary key (key_name, user_id, version)
);

create unlogged table core_api_request_counts (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 50);
