import { crc32, deflateSync } from "node:zlib";

/** The size that networks show without cutting (Open Graph). */
const WIDTH = 1_200;
const HEIGHT = 630;

/** The drawing of the pages' icon, in its unit of 1/32 of a side: rates as dots on their intervals. */
const LINES = [
  { from: 7, to: 25, dot: 18, y: 10 },
  { from: 7, to: 20, dot: 13, y: 16 },
  { from: 7, to: 15, dot: 10, y: 22 },
] as const;
const LINE_RADIUS = 1.2;
const DOT_RADIUS = 2.6;
/** Nothing is drawn above and below. */
const [TOP, BOTTOM] = [7, 25];
const GROUND = [0x0b, 0x5d, 0x6b] as const;

/** Pixels of a unit. */
const SCALE = 22;

/** Shades between the ground and white, so that edges are smooth. */
const SHADES = 32;

/** The picture that a shared link shows, as PNG: the icon on its ground. The title stands beside it, in the reader's language. */
export function socialPicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits a pixel, each the number of a colour.
  header.set([8, 3], 8);
  const palette = Array.from({ length: SHADES }, (_, shade) =>
    GROUND.map((part) => Math.round(part + ((255 - part) * shade) / (SHADES - 1))),
  );
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc(HEIGHT * (WIDTH + 1));
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1)
      rows[y * (WIDTH + 1) + x + 1] = shadeAt(16 + (x - WIDTH / 2) / SCALE, 16 + (y - HEIGHT / 2) / SCALE);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** By how much the edge of the nearest shape covers a pixel. */
function shadeAt(x: number, y: number): number {
  if (y < TOP || y > BOTTOM) return 0;
  let outside = Number.POSITIVE_INFINITY;
  for (const line of LINES) {
    const beyond = x - Math.min(Math.max(x, line.from), line.to);
    outside = Math.min(
      outside,
      distance(beyond, y - line.y) - LINE_RADIUS,
      distance(x - line.dot, y - line.y) - DOT_RADIUS,
    );
  }
  return Math.round(Math.min(1, Math.max(0, 0.5 - outside * SCALE)) * (SHADES - 1));
}

/** `Math.hypot`, which guards against overflow, takes ten times as long. */
function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
