-- The order of institutions by their shrunken rates, so that a page of 50,000 is read without sorting them.
create index statistics_rows_by_shrunken_rate
    on statistics_rows (window_id, dimension, below, (case when not below then rate_shrunken end) desc, key collate "C");
