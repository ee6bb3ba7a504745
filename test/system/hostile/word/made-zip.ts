import { crc32 } from "node:zlib";

const METHODS = { stored: 0, deflated: 8, bzip2: 12, zstandard: 93 } as const;

/** A member of an archive, with whatever its headers are to claim instead of the truth. */
export type Member = {
  readonly name: string;
  /** As it stands in the archive. */
  readonly bytes: Uint8Array;
  readonly method?: keyof typeof METHODS;
  readonly crc?: number;
  readonly packedSize?: number;
  readonly size?: number;
  /** Where its local header is said to stand; its own place otherwise. */
  readonly offset?: number;
  /** The bytes between its local header and its content that are said to be an extra field; none are written. */
  readonly extraSize?: number;
};

/** An archive whose headers may lie. @param listedCount the number of members in its end record */
export function makeZipOf(members: readonly Member[], listedCount = members.length): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const member of members) {
    const fields = fieldsOf(member);
    fields.writeUInt16LE(member.extraSize ?? 0, 24);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, member.bytes]);
    directory.push(directoryEntry(member, member.offset ?? length));
    files.push(local);
    length += local.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...files, listed, endRecord(listedCount, length, listed.length)]);
}

/** The fields that the local header and the directory share, with the name. */
function fieldsOf({ name, bytes, method = "stored", ...claimed }: Member): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(METHODS[method], 4);
  fields.writeUInt32LE(claimed.crc ?? crc32(bytes), 10);
  fields.writeUInt32LE(claimed.packedSize ?? bytes.length, 14);
  fields.writeUInt32LE(claimed.size ?? bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return Buffer.concat([fields, Buffer.from(name)]);
}

function directoryEntry(member: Member, offset: number): Buffer {
  const fields = fieldsOf(member);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return Buffer.concat([
    Buffer.from("PK\x01\x02\x14\x00", "latin1"),
    fields.subarray(0, 26),
    tail,
    fields.subarray(26),
  ]);
}

function endRecord(count: number, offset: number, bytes: number): Buffer {
  const record = Buffer.alloc(22);
  record.write("PK\x05\x06", "latin1");
  record.writeUInt16LE(Math.min(count, 0xffff), 8);
  record.writeUInt16LE(Math.min(count, 0xffff), 10);
  record.writeUInt32LE(bytes, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
