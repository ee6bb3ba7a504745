import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "migrations");

/** In the format of `sha256sum`: the migrations that have landed, in their order. */
const LIST = "SHA256SUMS";

type Migration = { readonly name: string; readonly sha256: string };

/** What is wrong with the migrations of a folder, given those that have landed. Both are in the order in which they are applied. */
function faultsOf(landed: readonly Migration[], found: readonly Migration[]): string[] {
  return [
    ...landed.flatMap(({ name, sha256 }, at) => {
      const same = found.find((one) => one.name === name);
      if (same === undefined) return `${name} has landed and is missing: ${INSTEAD}`;
      if (same.sha256 !== sha256) return `${name} has landed and was changed: ${INSTEAD}`;
      return found[at]?.name === name
        ? []
        : `${name} has landed, and another migration now precedes it: ${INSTEAD}`;
    }),
    ...found
      .filter(({ name }) => !landed.some((one) => one.name === name))
      .map(({ name, sha256 }) => `${name} is new: add the line "${sha256}  ${name}" to migrations/${LIST}`),
  ];
}

const INSTEAD = "databases have it already, so restore it and add a new migration instead";

describe("the migrations that have landed", () => {
  it("stay as they are", () => {
    const landed = readFileSync(join(FOLDER, LIST), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => ({ sha256: line.slice(0, 64), name: line.slice(66) }));
    const found = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".sql"))
      .sort()
      .map((name) => ({
        name,
        sha256: createHash("sha256")
          .update(readFileSync(join(FOLDER, name)))
          .digest("hex"),
      }));
    expect(faultsOf(landed, found)).to.deep.equal([]);
  });

  const a = { name: "0001_a.sql", sha256: "aa" };
  const b = { name: "0002_b.sql", sha256: "bb" };

  for (const [change, found, message] of [
    ["changed", [a, { ...b, sha256: "cc" }], `0002_b.sql has landed and was changed: ${INSTEAD}`],
    ["removed", [a], `0002_b.sql has landed and is missing: ${INSTEAD}`],
    ["renamed", [a, { ...b, name: "0003_b.sql" }], `0002_b.sql has landed and is missing: ${INSTEAD}`],
    [
      "preceded by a new one",
      [a, { name: "0001_b.sql", sha256: "cc" }, b],
      `0002_b.sql has landed, and another migration now precedes it: ${INSTEAD}`,
    ],
    [
      "followed by one that is not listed",
      [a, b, { name: "0003_c.sql", sha256: "cc" }],
      '0003_c.sql is new: add the line "cc  0003_c.sql" to migrations/SHA256SUMS',
    ],
  ] as const) {
    it(`may not be ${change}`, () => {
      expect(faultsOf([a, b], found)).to.include(message);
    });
  }
});
