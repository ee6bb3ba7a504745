import { HOSTILE_TEXTS, LONG_TEXTS } from "./hostile-texts.ts";
import type { HostileUpload } from "./hostile-upload.ts";
import { activePdfs, PDF_PAGES, PDF_STRUCTURES } from "./pdf/hostile-pdf-structures.ts";
import { PDF_BOMBS, PDF_LOOPS } from "./pdf/hostile-pdfs.ts";
import { COSTLY_ARCHIVES, HOSTILE_ARCHIVES } from "./word/hostile-word-files.ts";
import { hostileWordXml, WORD_XML_TRAPS } from "./word/hostile-word-xml.ts";

/** Every hostile upload that is known here. `beacon` is an address that nobody may ask. */
export function hostileUploads(beacon: string): readonly HostileUpload[] {
  return [
    ...HOSTILE_ARCHIVES,
    ...COSTLY_ARCHIVES,
    ...hostileWordXml(beacon),
    ...WORD_XML_TRAPS,
    ...PDF_BOMBS,
    ...PDF_LOOPS,
    ...PDF_STRUCTURES,
    ...PDF_PAGES,
    ...activePdfs(beacon),
    ...HOSTILE_TEXTS,
    ...LONG_TEXTS,
  ];
}
