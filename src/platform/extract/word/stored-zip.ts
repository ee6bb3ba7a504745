import { crc32 } from "node:zlib";

export type ZipMember = { readonly name: string; readonly content: Uint8Array };

/** Version 2.0 of the format, and names in UTF-8 (PKWARE APPNOTE 4.3, sections 4.4.3 and 4.4.4). */
const VERSION_NEEDED = 20;
const NAMES_ARE_UTF8 = 0x0800;

/** Writes an archive whose members are stored as they are, uncompressed and without dates. */
export function writeStoredZip(members: readonly ZipMember[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of members) {
    const nameBytes = Buffer.from(name, "utf8");
    const common = commonFields(nameBytes.length, content);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, content]);
    const atEnd = Buffer.alloc(14); // no comment, first disk, no attributes
    atEnd.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, atEnd, nameBytes]));
    files.push(local);
    offset += local.length;
  }
  return Buffer.concat([...files, ...directory, endRecord(members.length, offset, directory)]);
}

/** The 26 bytes that a member's local header and its directory entry have in common. */
function commonFields(nameLength: number, content: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION_NEEDED, 0);
  fields.writeUInt16LE(NAMES_ARE_UTF8, 2);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

function endRecord(count: number, directoryOffset: number, directory: readonly Buffer[]): Buffer {
  const record = Buffer.alloc(22);
  record.write("PK\x05\x06", "latin1");
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(
    directory.reduce((sum, entry) => sum + entry.length, 0),
    12,
  );
  record.writeUInt32LE(directoryOffset, 16);
  return record;
}
