import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createExtractor, type Extractor } from "../../src/extract/extractor.ts";
import { MEDIA_TYPES } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { line, makeDocx, makePdf, paragraph } from "./made-documents.ts";

const OPTIONS = { filename: "a.pdf", accept: MEDIA_TYPES, textCharsMax: 1000 } as const;
const HELLO = makePdf({ pages: [line("Hello brave new world")] });

/** What a process may take for a slow PDF; with less, a fast machine would come to the limit of memory before that of time. */
const SLOW_PDF_MB = 4_000;

/** A hundred megabytes of drawing instructions: several seconds of work, from a small file. */
function slowPdf(): Buffer {
  return makePdf({ pages: [`${line("Hello brave new world")}\n`.repeat(2_000_000)] });
}

/** 250 MB of white space, which the reader keeps in a buffer that V8's limit does not count. */
function largePdf(): Buffer {
  return makePdf({ pages: [Buffer.alloc(250_000_000, " ")] });
}

async function errorOf(extraction: Promise<unknown>): Promise<unknown> {
  return extraction.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function expectUnreadable(error: unknown, message: RegExp): void {
  if (!(error instanceof DomainError)) throw new Error(`not a DomainError: ${error}`);
  expect(error.code).to.equal("unreadable_file");
  expect(error.message).to.match(message);
}

describe("createExtractor", function () {
  // Each starts a process or two and makes files of many megabytes: seconds, and more on a busy machine.
  this.timeout(120_000);
  let extractor: Extractor | undefined;
  /** How the readings of a test ended. */
  let outcomes: string[];

  function start(limits: Parameters<typeof createExtractor>[0] = {}): Extractor {
    outcomes = [];
    extractor = createExtractor(limits, (outcome, seconds) => {
      expect(seconds).to.be.above(0);
      outcomes.push(outcome);
    });
    return extractor;
  }

  afterEach(async () => {
    await extractor?.close();
  });

  it("gives the text of files that come together, each its own", async () => {
    const { extract } = start();
    const files = Array.from({ length: 6 }, (_, i) => makeDocx({ body: paragraph(`document ${i}`) }));
    const texts = await Promise.all(files.map(async (bytes) => (await extract(bytes, OPTIONS)).text));
    expect(texts).to.deep.equal(files.map((_, i) => `document ${i}\n\n`));
  });

  it("keeps the compiled code of its processes where the service keeps its own", async () => {
    const { NODE_COMPILE_CACHE } = process.env;
    const folder = await mkdtemp(join(tmpdir(), "compiled-"));
    try {
      process.env.NODE_COMPILE_CACHE = folder;
      const { extract, close } = start();
      await extract(HELLO, OPTIONS);
      await close();
      expect(await readdir(folder, { recursive: true })).to.have.length.above(50);
    } finally {
      if (NODE_COMPILE_CACHE === undefined) delete process.env.NODE_COMPILE_CACHE;
      else process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE;
      await rm(folder, { recursive: true });
    }
  });

  it("rebuilds the errors about a file", async () => {
    const { extract } = start();
    const error = await errorOf(extract(Buffer.from("{\\rtf1}"), OPTIONS));
    if (!(error instanceof DomainError)) throw new Error(`not a DomainError: ${error}`);
    expect(error.code).to.equal("unsupported_file_type");
    expect(error.message).to.include("an RTF document");
    expect(outcomes).to.deep.equal(["refused"]);
  });

  it("ends a process that takes too much memory, and reads the next file", async () => {
    const { extract } = start({ processes: 1, memoryMb: 256 });
    expectUnreadable(await errorOf(extract(largePdf(), OPTIONS)), /memory/);
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
  });

  it("survives a file that exhausts the heap at once", async () => {
    const { extract } = start({ processes: 1, memoryMb: 200 });
    const attributes = Array.from({ length: 1_000_000 }, (_, i) => `a${i}="x"`).join(" ");
    expectUnreadable(await errorOf(extract(makeDocx({ body: `<w:p ${attributes}/>` }), OPTIONS)), /memory/);
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
  });

  it("ends a process that takes too long, and reads the next file", async () => {
    // The next file has this time as well, within which its process has to start.
    const { extract } = start({ processes: 1, timeMs: 8_000, memoryMb: SLOW_PDF_MB });
    expectUnreadable(await errorOf(extract(slowPdf(), OPTIONS)), /longer than 8 seconds/);
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
    expect(outcomes).to.deep.equal(["killed", "text"]);
  });

  it("refuses a file as service_busy when as many wait as may, and takes one again afterwards", async () => {
    const { extract } = start({ processes: 1, waitingMax: 1 });
    const [first, second, third] = [0, 1, 2].map(() => errorOf(extract(HELLO, OPTIONS)));
    const refused = await third;
    if (!(refused instanceof DomainError)) throw new Error(`not a DomainError: ${refused}`);
    expect(refused.code).to.equal("service_busy");
    expect(await Promise.all([first, second])).to.deep.equal([undefined, undefined]);
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
  });

  it("refuses a file as service_busy that has waited as long as it may, and reads the one before it", async () => {
    const { extract } = start({ processes: 1, waitMs: 1, timeMs: 3_000, memoryMb: SLOW_PDF_MB });
    const [reading, waiting] = [extract(slowPdf(), OPTIONS), extract(HELLO, OPTIONS)].map(errorOf);
    const refused = await waiting;
    if (!(refused instanceof DomainError)) throw new Error(`not a DomainError: ${refused}`);
    expect(refused.code).to.equal("service_busy");
    expectUnreadable(await reading, /longer than 3 seconds/);
  });

  it("reads small text files without a process", async () => {
    const { extract } = start({ memoryMb: 8 });
    const text = "Hello brave new world";
    const options = { ...OPTIONS, filename: "a.html.txt" };
    expect(await extract(Buffer.from(text), OPTIONS)).to.deep.equal({
      text,
      mediaType: "text/plain",
      margins: [],
      hidden: [],
      pageNotes: [],
    });
    expect((await extract(Buffer.from(`<html>${text}`), options)).text).to.equal(`<html>${text}`);
    const errors = await Promise.all(
      [" \n", "x".repeat(1001)].map((bad) => errorOf(extract(Buffer.from(bad), OPTIONS))),
    );
    expect(errors.map((error) => (error as DomainError).code)).to.deep.equal([
      "no_extractable_text",
      "text_too_long",
    ]);
    expect(outcomes).to.deep.equal(["text", "text", "refused", "refused"]);
    const reason = new Error("the client went away");
    expect(await errorOf(extract(Buffer.from(text), OPTIONS, AbortSignal.abort(reason)))).to.equal(reason);
  });

  it("does not blame the file when no process can start", async () => {
    const { extract } = start({ memoryMb: 8 });
    const error = await errorOf(extract(HELLO, OPTIONS));
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(DomainError);
    expect(String(error)).to.include("does not start");
    expect(outcomes).to.deep.equal(["failed"]);
  });

  it("stops when the signal is aborted, before, while waiting and while reading", async () => {
    const { extract } = start({ processes: 1 });
    const slow = slowPdf();
    const reason = new Error("the client went away");
    expect(await errorOf(extract(slow, OPTIONS, AbortSignal.abort(reason)))).to.equal(reason);
    const reading = new AbortController();
    const waiting = new AbortController();
    const errors = [extract(slow, OPTIONS, reading.signal), extract(slow, OPTIONS, waiting.signal)].map(
      errorOf,
    );
    setTimeout(() => waiting.abort(reason), 100);
    setTimeout(() => reading.abort(reason), 300);
    expect(await Promise.all(errors)).to.deep.equal([reason, reason]);
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
  });

  it("keeps a process for the next file, and lets it go when it is idle", async () => {
    const { extract } = start({ processes: 1, idleMs: 50 });
    await extract(HELLO, OPTIONS);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await extract(HELLO, OPTIONS)).text).to.equal("Hello brave new world");
  });

  it("fails what is being read or waits when it is closed, and all that comes later", async () => {
    const { extract, close } = start({ processes: 1 });
    const slow = slowPdf();
    const errors = [extract(slow, OPTIONS), extract(slow, OPTIONS)].map(errorOf);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await close();
    const later = [HELLO, Buffer.from("Hello")].map((bytes) => errorOf(extract(bytes, OPTIONS)));
    for (const error of await Promise.all([...errors, ...later])) {
      expect(error).to.be.instanceOf(Error);
    }
  });
});
