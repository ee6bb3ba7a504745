import process from "node:process";
import { crc32, deflateRawSync } from "node:zlib";
import { expect } from "chai";
import { zipSync } from "fflate";
import { archivedFiles, newBudget, shownPath } from "../../src/batches/archive.ts";
import { createWithUnpacked } from "../../src/batches/unpack-files.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { packedRun } from "../system/hostile/packed-bytes.ts";
import { makeZipOf } from "../system/hostile/word/made-zip.ts";

const MEGABYTE = 1024 * 1024;
const FOREVER = new AbortController().signal;

/** A stream that unpacks to 32 MB, declared with one byte. */
const COSTLY = { bytes: packedRun("x", 32).bytes, method: "deflated", size: 1, crc: crc32("x") } as const;

function stored(name: string, text = `The text of ${name}.`) {
  return { name, bytes: Buffer.from(text) };
}

/** The files of an archive: their names, with the code of the error or the text. */
async function read(archive: Uint8Array, budget = newBudget(), signal = FOREVER) {
  const files: (readonly [string, string])[] = [];
  for await (const { path, content } of archivedFiles(archive, budget, signal))
    files.push([path, "error" in content ? content.error.code : Buffer.from(content.bytes).toString()]);
  return files;
}

async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof DomainError)) throw new Error(`not refused, but ${error}`);
  return error;
}

describe("an archive", () => {
  it("whose files share bytes is refused before anything is unpacked", async () => {
    const shared = { ...COSTLY, bytes: Buffer.alloc(0), packedSize: COSTLY.bytes.length };
    const others = Array.from({ length: 100 }, (_, at) => ({ ...shared, name: `${at}`, offset: 0 }));
    // A header of its own, with an extra field that reaches over the next header to the same bytes.
    const next = { ...COSTLY, name: "next" };
    const quoting = { ...shared, name: "quoting", extraSize: 30 + next.name.length };
    for (const members of [
      [{ ...COSTLY, name: "first" }, ...others],
      [quoting, next],
      [stored("a"), { ...stored("b"), offset: 0 }],
    ]) {
      const budget = newBudget();
      const { code, message } = await refusal(read(makeZipOf(members), budget));
      expect([code, message]).to.deep.equal([
        "unreadable_file",
        "The archive can't be unpacked: files in it overlap. Make it again.",
      ]);
      expect(budget.bytesLeft).to.equal(newBudget().bytesLeft);
    }
  });

  it("counts the unpacked bytes of files that are damaged or cut off", async () => {
    const nine = deflateRawSync(Buffer.alloc(9 * MEGABYTE, "y"));
    const budget = newBudget();
    const before = budget.bytesLeft;
    const files = [
      { name: "broken", method: "deflated", size: 9 * MEGABYTE, bytes: nine.subarray(0, -20) },
      { name: "wrong", method: "deflated", size: 9 * MEGABYTE, bytes: nine, crc: 1 },
      { name: "short", method: "deflated", size: MEGABYTE, bytes: deflateRawSync(Buffer.alloc(1)) },
    ] as const;
    expect(await read(makeZipOf(files), budget)).to.deep.equal(
      files.map(({ name }) => [name, "unreadable_file"]),
    );
    expect(before - budget.bytesLeft).to.be.within(17 * MEGABYTE, 18 * MEGABYTE + 1);
  });

  it("unpacks nothing of a file that is too large, and is refused for one that is longer than it says", async () => {
    const budget = newBudget();
    const before = budget.bytesLeft;
    const honest = { ...COSTLY, name: "honest", size: 32 * MEGABYTE };
    expect(await read(makeZipOf([honest]), budget)).to.deep.equal([["honest", "body_too_large"]]);
    expect(budget.bytesLeft).to.equal(before);
    const { code, message } = await refusal(read(makeZipOf([honest, { ...COSTLY, name: "lying" }]), budget));
    expect([code, message]).to.deep.equal([
      "unreadable_file",
      "The archive can't be unpacked: a file in it is longer than its list says. Make it again.",
    ]);
    expect(before - budget.bytesLeft).to.be.within(1, 64 * 1024);
  });

  it("shares its bounds with the other archives of the request", async () => {
    const budget = { filesLeft: 5, bytesLeft: 12 * MEGABYTE };
    const archive = zipSync({ "a.txt": Buffer.alloc(5 * MEGABYTE), "b.txt": Buffer.alloc(MEGABYTE) });
    expect(await read(archive, budget)).to.have.length(2);
    expect(await read(archive, budget)).to.have.length(2);
    expect((await refusal(read(archive, budget))).code).to.equal("body_too_large");
    expect((await refusal(read(archive, { filesLeft: 5, bytesLeft: 6 * MEGABYTE - 1 }))).message).to.match(
      /unpack to more than 512 MiB/,
    );
  });

  it("is no longer read once its client has gone", async () => {
    const gone = new AbortController();
    const files = archivedFiles(
      makeZipOf([stored("a"), { ...COSTLY, name: "b" }, stored("c")]),
      newBudget(),
      gone.signal,
    );
    expect((await files.next()).value?.path).to.equal("a");
    gone.abort(new Error("gone"));
    const [next] = await Promise.allSettled([files.next()]);
    expect(next).to.deep.include({ status: "rejected", reason: gone.signal.reason });
  });

  it("of which the end record counts fewer or more files than there are is refused", async () => {
    const files = Array.from({ length: 100 }, (_, at) => stored(`${at}.txt`));
    expect(await read(makeZipOf(files))).to.have.length(100);
    for (const count of [0, 1, 99, 101]) {
      const { code, message } = await refusal(read(makeZipOf(files, count)));
      expect(code, `${count}`).to.equal("unreadable_file");
      expect(message, `${count}`).to.match(/^The archive can't be unpacked: .+\. Make it again\.$/);
    }
  });

  it("names the files that are packed by a method that is not read, and reads the others", async () => {
    const archive = makeZipOf([
      stored("a.txt", "text"),
      { ...stored("b.txt"), method: "bzip2" },
      { ...stored("c.txt"), method: "zstandard" },
    ]);
    const contents: unknown[] = [];
    for await (const { content } of archivedFiles(archive, newBudget(), FOREVER)) contents.push(content);
    const message =
      "The file is packed by a method that can't be read. Make the archive again with the method Deflate.";
    const refused = { error: { code: "unreadable_file", message } };
    expect(contents).to.deep.equal([{ bytes: Buffer.from("text"), isText: false }, refused, refused]);
  });

  it("skips a file whose path leads out of it, says so, and reads the others", async () => {
    const archive = makeZipOf(
      ["a.txt", "Q: why.txt", "drafts/../x.txt", "/root.txt", "..\\up.txt", "./dot.txt", ".hidden"].map(
        (name) => stored(name, "text"),
      ),
    );
    expect(await read(archive)).to.deep.equal([
      ["a.txt", "text"],
      ["Q: why.txt", "unreadable_file"],
      ["drafts/x.txt", "unreadable_file"],
      ["root.txt", "unreadable_file"],
      ["up.txt", "unreadable_file"],
      ["dot.txt", "text"],
    ]);
  });
});

describe("the path of a member", () => {
  it("is the end of a longer one, of which only the end is looked at", () => {
    const end = `${"a".repeat(150)}/${"b".repeat(49)}`;
    expect(shownPath(`${"\u1112\u1161\u11ab/".repeat(15_000)}${end}`)).to.equal(end);
    expect(shownPath("\u0001".repeat(60_000))).to.equal("upload");
  });
});

describe("files of requests", () => {
  const zip = (megabytes: number) => ({
    path: "a.zip",
    bytes: zipSync(
      Object.fromEntries(
        Array.from({ length: megabytes / 8 }, (_, at) => [`${at}.txt`, Buffer.alloc(8 * MEGABYTE, `${at}`)]),
      ),
    ),
  });

  it("are the same at each reading, also beyond what stays in memory", async () => {
    const plain = { path: "plain.txt", bytes: Buffer.from("plain") };
    await createWithUnpacked()([plain, zip(56), plain], FOREVER, async ({ paths, read }) => {
      for (const _ of [1, 2]) {
        const seen: string[] = [];
        for await (const { path, content } of read()) {
          const bytes = "bytes" in content ? Buffer.from(content.bytes) : Buffer.alloc(0);
          seen.push(`${path} ${bytes.length} ${bytes.subarray(-5)}`);
        }
        const inZip = Array.from({ length: 7 }, (_, at) => `${at}.txt ${8 * MEGABYTE} ${`${at}`.repeat(5)}`);
        expect(seen).to.deep.equal(["plain.txt 5 plain", ...inZip, "plain.txt 5 plain"]);
        expect(paths).to.deep.equal(seen.map((line) => line.split(" ")[0]));
      }
    });
  });

  it("are refused as 503 when no temporary file can be written; small archives need none", async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = "/nowhere";
    try {
      const withUnpacked = createWithUnpacked();
      const { code, message } = await refusal(withUnpacked([zip(40)], FOREVER, async () => undefined));
      expect([code, message]).to.satisfy(
        ([one, text]: string[]) => one === "store_unavailable" && /TMPDIR/.test(text ?? ""),
      );
      expect(await withUnpacked([zip(16)], FOREVER, async ({ paths }) => paths.length)).to.equal(2);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  it("are held up to a bound, and at most two requests with archives are in progress", async () => {
    const withUnpacked = createWithUnpacked();
    const { promise, resolve } = Promise.withResolvers<void>();
    const large = { path: "a.txt", bytes: new Uint8Array(100 * MEGABYTE) };
    const held = [large, large].map((file) => withUnpacked([file], FOREVER, () => promise));
    expect((await refusal(withUnpacked([large], FOREVER, async () => undefined))).code).to.equal(
      "service_busy",
    );
    const begun: number[] = [];
    const gone = new AbortController();
    const archives = [1, 2, 3].map((number) =>
      withUnpacked([zip(8)], number === 3 ? gone.signal : FOREVER, async () => {
        begun.push(number);
        await promise;
      }),
    );
    while (begun.length < 2) await new Promise((tick) => setTimeout(tick, 10));
    gone.abort(new Error("gone"));
    expect(await archives[2]?.catch((error: unknown) => error)).to.equal(gone.signal.reason);
    resolve();
    await Promise.all([...held, ...archives.slice(0, 2)]);
    expect(begun).to.have.members([1, 2]);
    await withUnpacked([large, large], FOREVER, async () => undefined);
  });
});
