-- Up Migration

-- When an upload was accepted; null for platform documents, which no check waits for. A check waits for the uploads that
-- were accepted before it and are still pending. The index holds those alone, so it stays tiny during a bulk load.
alter table pending_documents add column accepted_at timestamptz;
create index pending_uploads on pending_documents (accepted_at) where accepted_at is not null;

-- Uploads that a check was not compared with, because they were still pending when it began to search.
alter table checks add column documents_pending integer not null default 0;
