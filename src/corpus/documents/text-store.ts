import type { TextRange } from "../../matching/set.ts";
import type { PackedSection } from "../../platform/packed-text.ts";
import { prepared, type Queryable } from "../../platform/postgres/database.ts";

type StoredText = { readonly documentId: string; readonly sections: readonly PackedSection[] };

/** The texts of the documents in compressed sections, as `unpackText` reads them. */
export class TextStore {
  async insertAll(db: Queryable, texts: readonly StoredText[]): Promise<void> {
    const sections = texts.flatMap(({ documentId, sections }) =>
      sections.map((section) => ({ documentId, ...section })),
    );
    // As one value the bodies are sent as they are; in an array they would be written in hexadecimal.
    const bodies = Buffer.concat(sections.map(({ body }) => body));
    await db.query(
      `insert into text_sections (document_id, start_utf16, length_utf16, encoding, body)
       select document_id, start_utf16, length_utf16, encoding,
              substring($6::bytea from (sum(size) over (order by place) - size + 1)::integer for size)
         from unnest($1::uuid[], $2::integer[], $3::integer[], $4::text[], $5::integer[])
           with ordinality as given (document_id, start_utf16, length_utf16, encoding, size, place)`,
      [
        sections.map(({ documentId }) => documentId),
        sections.map(({ start }) => start),
        sections.map(({ length }) => length),
        sections.map(({ encoding }) => encoding),
        sections.map(({ body }) => body.byteLength),
        bodies,
      ],
    );
  }

  /** The length of a document's text in UTF-16 units; undefined when it has no text. */
  async findLength(db: Queryable, documentId: string): Promise<number | undefined> {
    const [row] = await db.query<{ length: number }>(
      `select start_utf16 + length_utf16 as length from text_sections
        where document_id = $1 order by start_utf16 desc limit 1`,
      [documentId],
    );
    return row?.length;
  }

  /** Some sections of a document, from the one that begins at `start`; none after its end. */
  async findFrom(
    db: Queryable,
    documentId: string,
    start: number,
    sectionsMax: number,
  ): Promise<PackedSection[]> {
    const rows = await db.query<SectionRow>(
      `select ${COLUMNS} from text_sections
        where document_id = $1 and start_utf16 >= $2 order by start_utf16 limit $3`,
      [documentId, start, sectionsMax],
    );
    return byDocument(rows).get(documentId) ?? [];
  }

  /** All sections by document; documents without any are missing. */
  async findAll(db: Queryable, documentIds: readonly string[]): Promise<Map<string, PackedSection[]>> {
    const rows = await db.query<SectionRow>(
      `select ${COLUMNS} from text_sections where document_id = any($1) order by document_id, start_utf16`,
      [documentIds],
    );
    return byDocument(rows);
  }

  async findRanges(db: Queryable, ranges: readonly TextRange[]): Promise<Map<string, PackedSection[]>> {
    const rows = await db.query<SectionRow>(
      prepared(`select distinct on (document_id, start_utf16) ${COLUMNS}
         from unnest($1::uuid[], $2::integer[], $3::integer[]) as wanted (document_id, first, after)
         join text_sections using (document_id)
        where start_utf16 < after and start_utf16 + length_utf16 > first
        order by document_id, start_utf16`),
      [
        ranges.map(({ documentId }) => documentId),
        ranges.map(({ start }) => start),
        ranges.map(({ end }) => end),
      ],
    );
    return byDocument(rows);
  }
}

const COLUMNS = 'document_id as "documentId", start_utf16 as start, length_utf16 as length, encoding, body';

type SectionRow = PackedSection & { readonly documentId: string };

function byDocument(rows: readonly SectionRow[]): Map<string, PackedSection[]> {
  return Map.groupBy(rows, ({ documentId }) => documentId);
}
