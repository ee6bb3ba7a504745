-- Up Migration

-- Who says what the language of a text is: `stated` with the text, `detected` in it, or `default` where neither was possible.
-- Until this release it was stated, or the default without a note of that. A constant default rewrites no row.
alter table checks add column language_origin text not null default 'stated';
alter table documents add column language_origin text not null default 'stated';
