-- How long a retraction takes. Papers of earlier loads have no dates until their file is loaded again.
alter table statistics_papers add column published_on date, add column retracted_on date;
