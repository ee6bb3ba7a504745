import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { type LoadedStatistics, useStatistics } from "../loaded-statistics.ts";
import { madeUpLinks } from "../made-up-links.ts";
import { needsSharedData, SHARED } from "../shared-statistics.ts";
import { refusal } from "../written-file.ts";

const Table = z.array(z.array(z.string()));

type Files = {
  readonly retractions: string;
  readonly publications: string;
  readonly works: string;
  readonly organisations: string;
};

/** How often a file is put together with itself. */
const TIMES = 3;

describe("decisions, Running it: the real files, mistreated", function () {
  this.timeout(120_000);
  const statistics = useStatistics();
  let files: Files;
  let expected: unknown;

  before(async function () {
    needsSharedData(this);
    const links = await madeUpLinks(statistics.write);
    files = { retractions: SHARED.retractions, organisations: SHARED.organisations, ...links };
    expected = await contentsAfter(statistics, files);
  });

  for (const part of ["retractions", "publications", "works", "organisations"] as const) {
    it(`give the same when the ${part} are repeated three times`, async () => {
      const repeated = Buffer.concat(Array.from({ length: TIMES }, () => readFileSync(files[part])));
      const file = await statistics.write(`repeated-${part}`, repeated);
      expect(await contentsAfter(statistics, { [part]: file })).to.deep.equal(expected);
    });

    it(`are refused, with their row, when the ${part} are cut off`, async () => {
      const whole = readFileSync(files[part]);
      // Within the last quarter, and within a row: the length leaves the end of one out.
      const cut = whole.subarray(0, whole.lastIndexOf("\n", whole.length * 0.9) + 15);
      const file = await statistics.write(`cut-${part}`, cut);
      expect(await refusal(statistics.load({ [part]: file }))).to.match(new RegExp(`^cut-${part}, row \\d+`));
      expect(await statistics.contents()).to.deep.equal(expected);
    });
  }

  for (const part of ["retractions", "publications"] as const) {
    it(`give the same when the columns and rows of the ${part} are shuffled`, async () => {
      const file = await statistics.write(
        `shuffled-${part}`,
        reversedTable(readFileSync(files[part], "utf8")),
      );
      expect(await contentsAfter(statistics, { [part]: file })).to.deep.equal(expected);
    });

    it(`are refused when the columns of the ${part} are shuffled and the header is not`, async () => {
      const [header = "", ...rows] = reversedTable(readFileSync(files[part], "utf8")).split("\n");
      const file = await statistics.write(
        `mixed-${part}`,
        [...header.split(",").toReversed(), ""].join(",").concat("\n", rows.join("\n")),
      );
      expect(await refusal(statistics.load({ [part]: file }))).to.match(
        new RegExp(`^mixed-${part}, row 2 .*column |^mixed-${part}, row 2, `),
      );
    });

    it(`give the same when the ${part} are in another encoding`, async () => {
      const text = readFileSync(files[part], "utf8");
      const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
      const written = [
        Buffer.from(`\ufeff${text}`),
        utf16,
        Buffer.from(utf16).swap16(),
        Buffer.from(text.replaceAll(/[^\0-\xff]/g, "?"), "latin1"),
      ];
      for (const [index, bytes] of written.entries()) {
        const file = await statistics.write(`encoded-${index}-${part}`, bytes);
        expect(await contentsAfter(statistics, { [part]: file })).to.deep.equal(expected);
      }
    });
  }

  it("give the same when the works and organisations come in the other order", async () => {
    const reversed = (file: string) =>
      readFileSync(file, "utf8").trim().split("\n").toReversed().join("\r\n");
    const works = await statistics.write("reversed-works", reversed(files.works));
    const organisations = await statistics.write("reversed-organisations", reversed(files.organisations));
    expect(await contentsAfter(statistics, { works, organisations })).to.deep.equal(expected);
  });
});

/** The other files stay as they were loaded before. */
async function contentsAfter({ load, contents }: LoadedStatistics, files: Partial<Files>): Promise<unknown> {
  await load(files);
  return contents();
}

/** The columns in the other order, and the rows below the header as well. */
function reversedTable(text: string): string {
  const [header = [], ...rows] = Table.parse(parse(text, { record_delimiter: ["\r\n", "\n"] }));
  return [header, ...rows.toReversed()]
    .map((row) =>
      row
        .toReversed()
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(","),
    )
    .join("\n");
}
