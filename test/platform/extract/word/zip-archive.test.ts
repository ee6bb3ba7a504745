import { crc32, deflateRawSync } from "node:zlib";

import { expect } from "chai";
import fc from "fast-check";

import { DomainError } from "../../../../src/core/domain-error.ts";
import { writeStoredZip } from "../../../../src/platform/extract/word/stored-zip.ts";
import { readZipDirectory, unpackZipEntry } from "../../../../src/platform/extract/word/zip-archive.ts";
import { directoryOffset } from "../made-documents.ts";

/** An archive with one deflated file that declares the size `declared`. */
function deflatedZip(content: Buffer, declared: number): Buffer {
  const zip = writeStoredZip([{ name: "a", content: deflateRawSync(content) }]);
  const entry = directoryOffset(zip);
  zip.writeUInt16LE(8, entry + 10);
  zip.writeUInt32LE(crc32(content), entry + 16);
  zip.writeUInt32LE(declared, entry + 24);
  return zip;
}

function unpackFirst(zip: Uint8Array, sizeMax: number): Uint8Array {
  const [entry] = readZipDirectory(zip);
  if (entry === undefined) throw new Error("the archive is empty");
  return unpackZipEntry(zip, entry, sizeMax);
}

describe("readZipDirectory and unpackZipEntry", () => {
  it("give back what writeStoredZip wrote", () => {
    const member = fc.record({ name: fc.string({ minLength: 1 }), content: fc.uint8Array() });
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const zip = writeStoredZip(members.map((m) => ({ ...m, name: m.name.toWellFormed() })));
        const read = readZipDirectory(zip).map((e) => ({
          name: e.name,
          content: [...unpackZipEntry(zip, e, 1e6)],
        }));
        expect(read).to.deep.equal(
          members.map((m) => ({ name: m.name.toWellFormed(), content: [...m.content] })),
        );
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  it("read an archive with a comment behind it", () => {
    const zip = Buffer.concat([
      writeStoredZip([{ name: "a", content: Buffer.from("x") }]),
      Buffer.from("comment"),
    ]);
    expect(readZipDirectory(zip)).to.have.length(1);
  });

  it("unpack a deflated file", () => {
    const content = Buffer.from("again and ".repeat(1000));
    expect(Buffer.from(unpackFirst(deflatedZip(content, content.length), 10_000)).equals(content)).to.equal(
      true,
    );
  });

  it("stop at the limit when the archive lies about a size", () => {
    const lie = deflatedZip(Buffer.alloc(5_000_000), 10);
    expect(() => unpackFirst(lie, 1_000_000))
      .to.throw(DomainError)
      .with.property("code", "unreadable_file");
  });

  it("refuse any archive that was cut off, and never fail otherwise", () => {
    const zip = writeStoredZip([{ name: "a", content: Buffer.from("hello") }]);
    for (let length = 0; length < zip.length; length++) {
      expect(() => readZipDirectory(zip.subarray(0, length))).to.throw(DomainError);
    }
  });

  it("refuse a damaged file, an unknown method and a wrong offset", () => {
    const field = (at: number, value: number) => {
      const zip = writeStoredZip([{ name: "a", content: Buffer.from("hello") }]);
      zip.writeUInt16LE(value, directoryOffset(zip) + at);
      return zip;
    };
    for (const zip of [field(16, 1), field(10, 99), field(42, 7)]) {
      expect(() => unpackFirst(zip, 100)).to.throw(DomainError);
    }
    expect(() => readZipDirectory(field(0, 0))).to.throw(DomainError);
  });
});
