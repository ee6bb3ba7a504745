-- With the day of the first notice, it tells how long a retraction takes. Null until the file is loaded again.
alter table statistics_papers add column published_on date;
