import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect } from "chai";
import { childEnvironment } from "../../support/processes/child-environment.ts";

const PROGRAM = join(import.meta.dirname, "count-records.ts");

/** The heap that a parser gets, and a file that does not fit into it: not even the half of it would. */
const HEAP_MB = 24;
const FILE_MB = 56;

describe("a parser whose memory is smaller than the file", function () {
  this.timeout(600_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "statistics-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("reads a table to its end", async () => {
    const header =
      "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason,Notes\r\n";
    const notes = "x".repeat(400);
    const row = (id: number) =>
      `${id},"Germany;France;",1/2/2020 0:00,5/22/2008 0:00,10.1000/${id},Retraction,+Plagiarism of Text;,"${notes}"\r\n`;
    const { file, count } = await writeMany(header, row, "");
    expect(countRecords("retractions", file)).to.equal(count);
  });

  it("reads one array to its end", async () => {
    const names = [{ value: "y".repeat(400), types: ["ror_display"] }];
    const record = (id: number) =>
      `${id === 0 ? "" : ",\n"}${JSON.stringify({ id: `https://ror.org/0${String(id).padStart(8, "0")}`, status: "active", names }, null, 2)}`;
    const { file, count } = await writeMany("[\n", record, "\n]\n");
    expect(countRecords("organisations", file)).to.equal(count);
  });

  it("gives up a table in which a quotation mark is never closed", async () => {
    const header =
      "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason\n";
    const line = `${"z".repeat(500)}\n`;
    const { file } = await writeMany(header, (id) => (id === 0 ? `1,"${line}` : line), "");
    expect(() => countRecords("retractions", file)).to.throw(/row 2, column 2: a quotation mark is opened/);
  });

  async function writeMany(start: string, record: (id: number) => string, end: string) {
    const file = join(folder, "large");
    const handle = await open(file, "w");
    let count = 0;
    await handle.write(start);
    for (let bytes = 0; bytes < FILE_MB * 1e6; ) {
      const block = Array.from({ length: 1000 }, () => record(count++)).join("");
      bytes += block.length;
      await handle.write(block);
    }
    await handle.write(end);
    await handle.close();
    return { file, count };
  }
});

function countRecords(parser: string, file: string): number {
  const args = [`--max-old-space-size=${HEAP_MB}`, PROGRAM, parser, file];
  const env = childEnvironment();
  return Number(execFileSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] }).toString());
}
