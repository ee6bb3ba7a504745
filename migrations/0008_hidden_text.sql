-- The text of a file that its reader does not see, and the pages whose text could not be read as it is drawn.
alter table checks add column hidden_text jsonb not null default '[]';
alter table checks add column page_notes jsonb not null default '[]';
