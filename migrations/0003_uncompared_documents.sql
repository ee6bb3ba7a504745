-- The first of the uploads that a check was not compared with; `documents_pending` counts all of them.
alter table checks add column uncompared_documents uuid[] not null default '{}';
