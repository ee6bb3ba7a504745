-- The lines of the pages that were read by OCR, with their places, of the checks whose file is kept.
alter table checks add column ocr_pages jsonb;
