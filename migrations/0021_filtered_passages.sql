-- Up Migration

-- As `a_matched` and `b_matched`: for each choice of filters, how many passages it keeps, and the code points of the longest of them in
-- the text of `b`. Null in pairs of earlier releases, for which `passage_count` and `longest_chars` count all passages.
alter table batch_pairs add column passage_counts integer[], add column longest_passages integer[];
