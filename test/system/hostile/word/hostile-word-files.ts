import { deflateRawSync } from "node:zlib";
import { paragraph } from "../../../extract/made-documents.ts";
import {
  type Answer,
  costly,
  type HostileUpload,
  NEARLY_ALL_BYTES,
  NOT_TAKEN,
  TAKEN,
  TEXT,
  UNREADABLE,
} from "../hostile-upload.ts";
import { packedRun } from "../packed-bytes.ts";
import { type Member, makeZipOf } from "./made-zip.ts";
import { DOCUMENT_END, DOCUMENT_START, documentOf, relationship, wordFile, wordParts } from "./word-parts.ts";

const GIGABYTE_MB = 1024;
const READ = { ...TAKEN, text: `${TEXT}\n\n` } as const;

/** Archives that unpack to more than anybody has, and archives whose headers lie. */
export const HOSTILE_ARCHIVES: readonly HostileUpload[] = [
  docx("a gigabyte in one part, declared", [UNREADABLE], () => makeZipOf([...wordParts(), gigabyte()])),
  docx("a gigabyte in one part, declared as a kilobyte", [UNREADABLE], () =>
    makeZipOf([...wordParts(), { ...gigabyte(), size: 1000 }]),
  ),
  docx("pictures that claim four gigabytes each", [UNREADABLE], () =>
    makeZipOf([...wordFile(TEXT), ...pictures(100, { size: 0xffffffff })]),
  ),
  docx("65,535 entries, and 40,000 more behind them", [UNREADABLE], () =>
    makeZipOf([...wordFile(TEXT), ...pictures(105_535, {})]),
  ),
  docx("entries that lie over each other, a gigabyte each, declared", [UNREADABLE], () => overlapping(true)),
  docx("entries that lie over each other, a gigabyte each, declared as nothing", [READ], () =>
    overlapping(false),
  ),
  docx("a directory that repeats three parts 2,000 times", [READ], () => {
    const members = wordFile(TEXT);
    const again = members.map((member) => ({ ...member, bytes: Buffer.alloc(0), offset: 0 }));
    return makeZipOf([...Array.from({ length: 2_000 }, () => again).flat(), ...members]);
  }),
  ...(["packedSize", "size", "crc", "offset"] as const).flatMap((field) =>
    [0, 1, 0x7fffffff, 0xffffffff].map((value) =>
      docx(`${field} of the main part is ${value}`, anyOf(READ, UNREADABLE), () =>
        makeZipOf(wordFile(TEXT).map((one) => (isMain(one) ? { ...one, [field]: value } : one))),
      ),
    ),
  ),
  {
    name: "archives in archives, five deep, sixteen in each",
    filename: "nested.docx",
    make: () => nestedArchives(5),
    answers: [NOT_TAKEN],
  },
  docx("documents embedded in documents, each twice, six deep", [UNREADABLE], () => nestedDocuments(6, 2)),
  docx("a document that embeds its own part", [UNREADABLE], () =>
    makeZipOf([
      ...wordParts(relationship("me", "aFChunk", "document.xml")),
      main(documentOf('<w:altChunk r:id="me"/>')),
    ]),
  ),
  docx("a part whose name leads out of the package", [UNREADABLE], () =>
    makeZipOf([
      ...wordParts(relationship("out", "aFChunk", "../../../../../../etc/passwd")),
      main(documentOf('<w:altChunk r:id="out"/>')),
    ]),
  ),
];

/** Archives that keep a process at work until its time or its memory is used up. */
export const COSTLY_ARCHIVES: readonly HostileUpload[] = costly([
  docx("ten thousand embeddings of one document of 48 MB", [UNREADABLE], () => {
    const inner = makeZipOf([...wordParts(), packedMain(48)]);
    const embedded = { name: "word/inner.docx", bytes: inner };
    const chunks = '<w:altChunk r:id="in"/>'.repeat(10_000);
    return makeZipOf([
      ...wordParts(relationship("in", "aFChunk", "inner.docx")),
      main(documentOf(chunks)),
      embedded,
    ]);
  }),
  docx(
    "48 MB of text, within every limit but that of characters",
    [UNREADABLE, { status: 422, code: "text-too-long" }],
    () => makeZipOf([...wordParts(), packedMain(48)]),
  ),
]);

function docx(name: string, answers: readonly Answer[], make: () => Buffer): HostileUpload {
  return { name, filename: "hostile.docx", make, answers };
}

function anyOf(...answers: readonly Answer[]): readonly Answer[] {
  return answers;
}

function isMain({ name }: Member): boolean {
  return name === "word/document.xml";
}

function main(xml: string): Member {
  return { name: "word/document.xml", bytes: Buffer.from(xml) };
}

function packedMain(megabytes: number): Member {
  const before = `${DOCUMENT_START}<w:p><w:r><w:t>`;
  const after = `</w:t></w:r></w:p>${DOCUMENT_END}`;
  const { bytes, crc, size } = packedRun("word ", megabytes, before, after);
  return { name: "word/document.xml", bytes, crc, size, method: "deflated" };
}

function gigabyte(): Member {
  return packedMain(GIGABYTE_MB);
}

function pictures(count: number, claims: Partial<Member>): Member[] {
  return Array.from({ length: count }, (_, i) => ({ name: `p${i}`, bytes: Buffer.alloc(0), ...claims }));
}

/** Many names for one member (David Fifield, "A better zip bomb", 2019); the document itself is sound. */
function overlapping(declared: boolean): Buffer {
  const shared = packedRun(" ", GIGABYTE_MB);
  const size = declared ? shared.size : 0;
  const claims = {
    packedSize: shared.bytes.length,
    size,
    crc: shared.crc,
    method: "deflated",
    offset: 0,
  } as const;
  return makeZipOf([
    { name: "word/media/0.png", bytes: shared.bytes, ...claims },
    ...Array.from({ length: 5_000 }, (_, i) => ({
      name: `word/media/${i + 1}.png`,
      bytes: Buffer.alloc(0),
      ...claims,
    })),
    ...wordFile(TEXT),
  ]);
}

function nestedArchives(depth: number): Buffer {
  const inner = depth === 0 ? Buffer.alloc(1_000_000) : nestedArchives(depth - 1);
  const packed = deflateRawSync(inner);
  const members = Array.from({ length: 16 }, (_, i) => ({
    name: `${i}.zip`,
    bytes: packed,
    method: "deflated" as const,
    size: inner.length,
  }));
  return makeZipOf(members);
}

function nestedDocuments(depth: number, width: number): Buffer {
  if (depth === 0) return makeZipOf(wordFile(TEXT));
  const inner = nestedDocuments(depth - 1, width);
  if (inner.length * width > NEARLY_ALL_BYTES) throw new Error("too large to be uploaded");
  const ids = Array.from({ length: width }, (_, i) => `d${i}`);
  return makeZipOf([
    ...wordParts(...ids.map((id) => relationship(id, "aFChunk", `${id}.docx`))),
    main(documentOf(paragraph("level") + ids.map((id) => `<w:altChunk r:id="${id}"/>`).join(""))),
    ...ids.map((id) => ({ name: `word/${id}.docx`, bytes: inner })),
  ]);
}
