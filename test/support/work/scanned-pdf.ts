import { createRequire } from "node:module";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

type ScanOptions = {
  /** Pixels of an inch; 200 by default. */
  readonly resolution?: number;
  /** How far each page is turned on the scanner, in degrees. */
  readonly skew?: number;
};

type Context = {
  fillStyle: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  rotate(angle: number): void;
};

/** What is used of `@napi-rs/canvas`, the optional dependency of pdf.js that draws in Node.js. */
const Drawing = z.object({
  createCanvas: z.custom<
    (
      width: number,
      height: number,
    ) => {
      getContext(kind: "2d"): Context;
      toBuffer(type: "image/jpeg", quality: number): Buffer;
    }
  >((value) => typeof value === "function"),
});

/** Prints a PDF and scans it: each page becomes a picture (JPEG) of its size, without text. */
export async function scannedPdf(
  pdf: Uint8Array,
  { resolution = 200, skew = 0 }: ScanOptions = {},
): Promise<Buffer> {
  const require = createRequire(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { createCanvas } = Drawing.parse(require("@napi-rs/canvas"));
  const loading = getDocument({
    data: new Uint8Array(pdf),
    useSystemFonts: false,
    standardFontDataUrl: require.resolve("./standard_fonts/LICENSE_FOXIT").replace(/LICENSE_FOXIT$/, ""),
  });
  const document = await loading.promise;
  const pictures: Picture[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: resolution / 72 });
    const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)];
    const canvas = createCanvas(width, height);
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.rotate((skew * Math.PI) / 180);
    await page.render({ canvas: null, canvasContext: context, viewport, background: "transparent" }).promise;
    pictures.push({ width, height, resolution, jpeg: canvas.toBuffer("image/jpeg", 80) });
  }
  await loading.destroy();
  return pdfOfPictures(pictures);
}

type Picture = {
  readonly width: number;
  readonly height: number;
  readonly resolution: number;
  readonly jpeg: Buffer;
};

function pdfOfPictures(pictures: readonly Picture[]): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: (string | Buffer)[]) => {
    const body = parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part));
    objects.push(Buffer.concat(body));
  };
  add("<</Type/Catalog/Pages 2 0 R>>");
  const kids = pictures.map((_, at) => `${3 + 3 * at} 0 R`).join(" ");
  add(`<</Type/Pages/Kids[${kids}]/Count ${pictures.length}>>`);
  for (const [at, { width, height, resolution, jpeg }] of pictures.entries()) {
    const [page, content, picture] = [3 + 3 * at, 4 + 3 * at, 5 + 3 * at];
    const size = [width, height].map((pixels) => (pixels * 72) / resolution);
    const drawn = `q ${size[0]} 0 0 ${size[1]} 0 0 cm /Im Do Q`;
    add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size.join(" ")}]/Contents ${content} 0 R`,
      `/Resources<</XObject<</Im ${picture} 0 R>>>>>>`,
    );
    add(`<</Length ${drawn.length}>>\nstream\n${drawn}\nendstream`);
    const kind = `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
    add(`<</Type/XObject${kind}/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`, jpeg, "\nendstream");
    if (page !== objects.length - 2)
      throw new Error("the objects are not numbered as they refer to each other");
  }
  let file = Buffer.from("%PDF-1.4\n", "latin1");
  const offsets = objects.map((body, at) => {
    const offset = file.length;
    file = Buffer.concat([file, Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(end)]);
}
