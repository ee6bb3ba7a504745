import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import clientPackage from "../../packages/client/package.json" with { type: "json" };
import { engineApi } from "../../src/service/engine-api.ts";
import { statisticsApi } from "../../src/service/statistics-api.ts";

const { version } = packageJson;
const ROOT = join(import.meta.dirname, "..", "..");

describe("a release", () => {
  it("has one version, which every package, API and document names", () => {
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect([lock.version, lock.packages[""].version]).to.deep.equal([version, version]);
    expect(clientPackage.version).to.equal(version);
    expect([engineApi(), statisticsApi()].map(({ info }) => info.version)).to.deep.equal([version, version]);
    for (const file of ["README.md", "docs/api.md"]) {
      const named = read(file).match(/similarity-check-client-[\d.]+(?=\.tgz)/g) ?? [];
      expect(named, file).to.have.lengthOf(2);
      expect(new Set(named), file).to.deep.equal(new Set([`similarity-check-client-${version}`]));
    }
  });

  it("is the newest one in the changelog, whose releases have a date and descend", () => {
    const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
    const released = headings.filter((heading) => heading !== "Unreleased");
    for (const heading of released) expect(heading).to.match(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/);
    const versions = released.map((heading) => heading.split(" ")[0] ?? "");
    expect(versions[0]).to.equal(version);
    const descending = versions.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
    expect(versions).to.deep.equal(descending);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
