import { inflateSync, constants as zlib } from "node:zlib";
import { entriesOf, tokensOf } from "./pdf-actual-text.ts";
import { cutFrom } from "./pdf-cut-content.ts";

/** A larger stream is left to pdf.js, because inflating it here as well could fill the memory of the process. */
const STREAM_BYTES_MAX = 32 * 1024 * 1024;

/** A list of 100,000 pages has 1.2 million bytes. */
const DICTIONARY_BYTES_MAX = 2_000_000;

export type PdfStructure = {
  /** Damage that pdf.js does not report; undefined for a sound file. */
  readonly damage: string | undefined;
  /** The content of a page as Latin 1, as far as it can be read without pdf.js. @param index from 0 */
  content(index: number): string;
  /** A property list that the resources of a page name, as Latin 1; empty if there is none. @param index from 0 */
  properties(index: number, name: string): string;
  /**
   * Whether a picture of the file, or one within the content of a page, lets what is below it be seen or belongs to a layer, which may be
   * switched off; true if the content can't be read. @param index from 0
   */
  hasPictureMasks(index: number): boolean;
  /**
   * Whether pdf.js loses text where it leaves out the rest of a page's content, or of a drawing in it; true if it is not known why it does.
   * @param index from 0
   */
  cutLosesText(index: number): boolean;
  /** Whether the file may have form fields or text that was typed onto its pages. */
  readonly mayHaveTypedText: boolean;
};

/**
 * Describes damage that would make pdf.js silently read less than the file holds, because it shows as much as it can and ignores
 * checksums: a page whose content is missing or corrupt, or a page that the number of pages (`/Count`) leaves out.
 *
 * A page without `/Contents` is blank (ISO 32000-1, table 30), unless it has fonts: programs give none to a blank page.
 * Encrypted streams are not checked, and no page of a file whose structure is in encrypted streams.
 * @param page the object number of any page. @param pageCount the pages that pdf.js reads.
 */
export function readPdfStructure(bytes: Uint8Array, page: number, pageCount: number): PdfStructure {
  const objects = new PdfObjects(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const pages = objects.pagesBeside(page);
  const faults = pages.flatMap((number, index) => {
    const fault = index < pageCount ? objects.contentFault(number) : "is left out by the number of pages";
    return fault === undefined ? [] : [`page ${index + 1} ${fault}`];
  });
  return {
    damage: faults[0],
    content: (index) => objects.contentOf(pages[index] ?? 0),
    properties: (index, name) => objects.propertiesOf(pages[index] ?? 0, name),
    hasPictureMasks: (index) => {
      if (objects.hasPictureMasks()) return true;
      const content = objects.contentOf(pages[index] ?? 0);
      return content.trim() === "" || INLINE_MASK.test(content);
    },
    cutLosesText: (index) => {
      const cuts = [objects.contentOf(pages[index] ?? 0), ...objects.forms()].map(cutFrom);
      return cuts.includes("text") || cuts.every((cut) => cut === undefined);
    },
    mayHaveTypedText: objects.mayHaveTypedText,
  };
}

const PICTURE_MASK = /\/(?:SMask|SMaskInData|Mask|ImageMask\s+true|OC)\b/;
const INLINE_MASK = /\/(?:IM|ImageMask)\s+true\b/;

/** The tokens of each value of a dictionary, by its key with its slash. */
type Entries = ReadonlyMap<string, readonly string[]>;

/** The objects of a PDF by number, each in the version that is last in the file. */
class PdfObjects {
  readonly #file: Buffer;
  readonly #encrypted: boolean;
  /** The place behind `obj`; of an object in an object stream, the text. */
  readonly #objects = new Map<number, number | string>();
  /** False if an object stream could not be read. */
  #complete = true;
  mayHaveTypedText: boolean;
  /** Streams that were looked at: pages may share their content. */
  readonly #sound = new Set<number>();
  #hasPictureMasks: boolean | undefined;
  /** By page or node above pages. */
  readonly #listsOf = new Map<number, Entries>();

  constructor(file: Buffer) {
    this.#file = file;
    this.#encrypted = file.includes("/Encrypt");
    this.mayHaveTypedText = this.#encrypted || file.includes("/FreeText") || file.includes("/Widget");
    for (let at = file.indexOf("obj"); at >= 0; at = file.indexOf("obj", at)) {
      const [, number] = /(\d+)\s+\d+\s*$/.exec(file.toString("latin1", Math.max(0, at - 32), at)) ?? [];
      at += "obj".length;
      if (number === undefined) continue;
      this.#objects.set(Number(number), at);
      const dictionary = this.#dictionaryAt(at);
      if (/\/Type\s*\/ObjStm\b/.test(dictionary)) this.#readObjectStream(at);
      // The content of a stream may be a whole PDF with its own objects.
      at = this.#streamRange(at, dictionary)?.end ?? at;
    }
  }

  #readObjectStream(place: number): void {
    const first = Number(/\/First\s+(\d+)/.exec(this.#dictionaryAt(place))?.[1]);
    const content = this.#streamAt(place);
    if (!Buffer.isBuffer(content)) {
      this.#complete = false;
      this.mayHaveTypedText = true;
      return;
    }
    this.mayHaveTypedText ||= content.includes("/FreeText") || content.includes("/Widget");
    const header = content.toString("latin1", 0, first).trim().split(/\s+/).map(Number);
    for (let i = 0; i + 1 < header.length; i += 2) {
      const [number = 0, from = 0, , to = content.length] = header.slice(i, i + 4);
      this.#objects.set(number, content.toString("latin1", first + from, first + to));
    }
  }

  /** The pages of the tree that `page` is in, in order; none if the tree can't be followed. */
  pagesBeside(page: number): readonly number[] {
    let root = page;
    const seen = new Set<number>();
    for (let up: number | undefined = page; up !== undefined && !seen.has(up); ) {
      seen.add(up);
      root = up;
      up = this.#references(up, "Parent")?.[0];
    }
    seen.clear();
    const pages: number[] = [];
    const waiting = [root];
    for (let node = waiting.pop(); node !== undefined && !seen.has(node); node = waiting.pop()) {
      seen.add(node);
      if (!/\/Type\s*\/Pages\b/.test(this.#text(node))) pages.push(node);
      else for (const kid of (this.#references(node, "Kids") ?? []).toReversed()) waiting.push(kid);
    }
    return waiting.length === 0 && pages.includes(page) ? pages : [];
  }

  contentFault(page: number): string | undefined {
    const contents = this.#references(page, "Contents");
    if (contents === undefined) {
      const [resources = page] = this.#references(page, "Resources") ?? [];
      return /\/Font\s*<<\s*\//.test(this.#text(resources)) ? "has fonts but no content" : undefined;
    }
    if (this.#complete && contents.some((number) => !this.#objects.has(number)))
      return "has lost its content";
    return contents.some((number) => this.#isCorrupt(number)) ? "has corrupt content" : undefined;
  }

  contentOf(page: number): string {
    const places = (this.#references(page, "Contents") ?? []).map((number) => this.#objects.get(number));
    return places
      .map((place) => (typeof place === "number" ? this.#streamAt(place) : undefined))
      .map((stream) => (Buffer.isBuffer(stream) ? stream.toString("latin1") : ""))
      .join("\n");
  }

  /** Whether a picture object has a mask or a layer, or a drawing that pages share has a picture with a mask in it. */
  hasPictureMasks(): boolean {
    this.#hasPictureMasks ??=
      this.#objects.values().some((place) => {
        const dictionary = typeof place === "number" ? this.#dictionaryAt(place) : "";
        return /\/Subtype\s*\/Image\b/.test(dictionary) && PICTURE_MASK.test(dictionary);
      }) || this.forms().some((form) => INLINE_MASK.test(form));
    return this.#hasPictureMasks;
  }

  propertiesOf(page: number, name: string): string {
    return this.#dictionary(this.#propertyLists(page).get(`/${name}`));
  }

  /** The entries of `/Properties` in the resources of a page, which it may have from a node above it. */
  #propertyLists(page: number): Entries {
    const nodes = new Set<number>();
    let lists: Entries | undefined;
    for (let node: number | undefined = page; node !== undefined && !nodes.has(node); ) {
      lists = this.#listsOf.get(node);
      if (lists !== undefined) break;
      nodes.add(node);
      const entries = entriesOf(tokensOf(this.#text(node)));
      const resources = this.#dictionary(entries.get("/Resources"));
      if (resources !== "") {
        lists = entriesOf(tokensOf(this.#dictionary(entriesOf(tokensOf(resources)).get("/Properties"))));
        break;
      }
      node = referencesIn(entries.get("/Parent")?.join(" ") ?? "")[0];
    }
    for (const node of nodes) this.#listsOf.set(node, lists ?? new Map());
    return lists ?? new Map();
  }

  /** The text of a dictionary that a value is or refers to; empty for any other value. */
  #dictionary(value: readonly string[] = []): string {
    const text = value.join(" ");
    if (text.startsWith("<<")) return text;
    return /^\d+ \d+ R$/.test(text) ? this.#text(Number(value[0])) : "";
  }

  /** The contents of the drawings that pages share (form XObjects), as Latin 1. */
  *forms(): Generator<string> {
    for (const place of this.#objects.values()) {
      if (typeof place !== "number" || !/\/Subtype\s*\/Form\b/.test(this.#dictionaryAt(place))) continue;
      const stream = this.#streamAt(place);
      if (Buffer.isBuffer(stream)) yield stream.toString("latin1");
    }
  }

  #isCorrupt(number: number): boolean {
    const place = this.#objects.get(number);
    if (typeof place !== "number" || this.#sound.has(number)) return false;
    if (this.#streamAt(place) === "corrupt") return true;
    this.#sound.add(number);
    return false;
  }

  /** The objects that an entry of a dictionary refers to, alone or in a list; undefined without such an entry. */
  #references(number: number, key: string): readonly number[] | undefined {
    const entry = new RegExp(`/${key}\\s*(\\[[^\\]<]*\\]|\\d+\\s+\\d+\\s+R\\b)`).exec(
      this.#text(number),
    )?.[1];
    if (entry === undefined) return undefined;
    const [only, ...more] = referencesIn(entry);
    if (only === undefined || more.length > 0) return referencesIn(entry);
    const target = this.#text(only).trim();
    return target.startsWith("[") ? referencesIn(target) : [only];
  }

  /** The text of an object up to its stream; empty for an unknown object. */
  #text(number: number): string {
    const object = this.#objects.get(number) ?? "";
    return typeof object === "string" ? object : this.#dictionaryAt(object);
  }

  #dictionaryAt(place: number): string {
    const end = this.#find("endobj", place, place + DICTIONARY_BYTES_MAX);
    let at = this.#find("stream", place, end);
    // The word may be part of a title.
    while (at < end && !/>>\s*$/.test(this.#file.toString("latin1", Math.max(place, at - 16), at)))
      at = this.#find("stream", at + 1, end);
    return this.#file.toString("latin1", place, at);
  }

  /** Where the content of an object's stream is; undefined for an object that is not a stream. */
  #streamRange(
    place: number,
    dictionary: string,
  ): { readonly start: number; readonly end: number } | undefined {
    const keyword = place + dictionary.length;
    let start = keyword + "stream".length;
    if (this.#file.toString("latin1", keyword, start) !== "stream") return undefined;
    if (this.#file[start] === 13) start += 1;
    if (this.#file[start] === 10) start += 1;
    // `/Length` may also refer to an object, or be wrong.
    const length = Number(/\/Length\s+(\d+)(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1] ?? Number.NaN);
    const end = start + length;
    if (/^\s*endstream/.test(this.#file.toString("latin1", end, end + 16))) return { start, end };
    return { start, end: this.#find("endobj", start, this.#find("endstream", start)) };
  }

  /** The content of a stream that is uncompressed or compressed with Flate; undefined for any other compression or encryption. */
  #streamAt(place: number): Buffer | "corrupt" | undefined {
    const dictionary = this.#dictionaryAt(place);
    const filters = /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(dictionary)?.[1]?.match(/\w+/g) ?? [];
    const inText = filters.join() === "ASCII85Decode,FlateDecode";
    const range = this.#streamRange(place, dictionary);
    if (this.#encrypted || range === undefined) return undefined;
    const data = this.#file.subarray(range.start, range.end);
    if (!dictionary.includes("/Filter")) return data;
    if (!(inText || filters.join() === "FlateDecode")) return undefined;
    try {
      // A missing end is not a fault here: some programs leave out the checksum, and pdf.js notices if more is missing.
      const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: STREAM_BYTES_MAX };
      return inflateSync(inText ? decodeAscii85(data.toString("latin1")) : data, options);
    } catch (error) {
      return error instanceof RangeError ? undefined : "corrupt"; // RangeError: too long
    }
  }

  /** Where `word` is next, or `end`. */
  #find(word: string, from: number, end = this.#file.length): number {
    const at = this.#file.subarray(from, end).indexOf(word);
    return at < 0 ? Math.min(end, this.#file.length) : from + at;
  }
}

function referencesIn(text: string): number[] {
  return [...text.matchAll(/(\d+)\s+\d+\s+R\b/g)].map(([, number]) => Number(number));
}

/** @see ISO 32000-1, 7.4.3 */
function decodeAscii85(text: string): Buffer {
  const digits = text.replace(/~>.*$|\s/gs, "").replaceAll("z", "!!!!!");
  const bytes = Buffer.alloc(Math.ceil(digits.length / 5) * 4);
  for (let at = 0; at < digits.length; at += 5) {
    let value = 0;
    for (const digit of digits.slice(at, at + 5).padEnd(5, "u"))
      value = value * 85 + digit.charCodeAt(0) - 33;
    bytes.writeUInt32BE(value >>> 0, (at / 5) * 4);
  }
  return bytes.subarray(0, Math.floor((digits.length * 4) / 5));
}
