import { constants, crc32, deflateRawSync } from "node:zlib";

const PIECE_BYTES = 16 * 1024 * 1024;

/** Ends a deflate stream: a last block without content. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

export type Packed = {
  /** A raw deflate stream. */
  readonly bytes: Buffer;
  readonly crc: number;
  /** What it unpacks to. */
  readonly size: number;
};

/**
 * Deflates `before`, then `megabytes` times 2^20 of the letter, then `after`, without ever holding what it unpacks to:
 * a block that refers to nothing before it may be repeated. A gigabyte takes one megabyte.
 */
export function packedRun(letter: string, megabytes: number, before = "", after = ""): Packed {
  const piece = Buffer.alloc(PIECE_BYTES, letter);
  const times = Math.ceil((megabytes * 1024 * 1024) / PIECE_BYTES);
  const block = packBlock(piece);
  let crc = crc32(before);
  for (let i = 0; i < times; i++) crc = crc32(piece, crc);
  return {
    bytes: Buffer.concat([
      packBlock(Buffer.from(before)),
      ...Array.from({ length: times }, () => block),
      packBlock(Buffer.from(after)),
      LAST_BLOCK,
    ]),
    crc: crc32(after, crc),
    size: before.length + times * PIECE_BYTES + after.length,
  };
}

/** The same as a zlib stream, as PDF has them; the checksum at its end is left out, which readers bear. */
export function zlibStream(packed: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x78, 0x9c]), packed]);
}

function packBlock(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
}
