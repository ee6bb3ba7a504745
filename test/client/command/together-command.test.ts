import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { runCheckCommand } from "./run-check-command.ts";

/** Each test starts a process and compares a batch, on a machine that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the check command with --together", function () {
  this.timeout(TIMEOUT_MS);
  const folder = join(tmpdir(), `together-command-${randomUUID()}`);
  const engine = useEngine();
  const together = (...args: string[]) =>
    runCheckCommand(["--together", ...args], folder, { ENGINE_URL: engine.client.base });

  const shared = prose(1, 80);
  const assignment = prose(2, 80);

  before(async () => {
    const files: Record<string, string> = {
      "essays/ada.txt": `${assignment}\n\n${prose(3, 100)}\n\n${shared}`,
      "essays/ben.txt": `${assignment}\n\n${shared}\n\n${prose(4, 200)}`,
      "essays/late/cy.txt": `${assignment}\n\n${prose(5, 150)}`,
      "essays/.hidden.txt": shared,
      "assignment.txt": assignment,
      "scan.pdf": "%PDF-1.7 and nothing that could be read",
      "large.txt": "x".repeat(10 * 1024 * 1024 + 1),
      "alice/draft.txt": shared,
      "alice/essay.txt": shared,
      "bob/essay.txt": shared,
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("prints the pairs of a folder's files as a table, without what comes from the template", async () => {
    const { status, stdout } = await together("essays", "--template", "assignment.txt");
    expect(status).to.equal(0);
    const [summary, group, , , ...rows] = stdout.split("\n");
    expect(summary).to.equal("3 files, 1 pair of at least 3%");
    expect(group).to.equal("  Group 1: ada.txt, ben.txt");
    expect(rows[0]).to.match(/^ {2}ada\.txt +\d\d\.\d\d% {2}ben\.txt +\d\d\.\d\d% {2}\d+ characters$/);
    expect(stdout).to.match(/Report: http:\/\/127\.0\.0\.1:\d+\/batches\/[0-9a-f-]{36}\n$/);
  });

  it("compares what was handed out as well where no template is named", async () => {
    const { stdout } = await together("essays", "--json");
    const { report } = JSON.parse(stdout);
    expect(report.pairs_total).to.equal(3);
    expect(report.members.map(({ name }: { name: string }) => name)).to.have.members([
      "ada.txt",
      "ben.txt",
      "late/cy.txt",
    ]);
  });

  it("prints the pairs as CSV", async () => {
    const { status, stdout } = await together("essays", "--csv", "--template", "assignment.txt");
    expect(status).to.equal(0);
    expect(stdout.trimEnd().split("\r\n")).to.have.length(2);
    expect(stdout).to.contain("ada.txt").and.to.contain("ben.txt");
  });

  it("ends with 1 when a pair is over the limit, and with 2 when a file can't be read", async () => {
    const over = await together("essays", "--template", "assignment.txt", "--fail-over", "5");
    expect(over.status).to.equal(1);
    expect(over.stderr).to.contain("Over 5%: 1 pair\n");
    const unreadable = await together("essays", "scan.pdf", "--template", "assignment.txt");
    expect(unreadable.status).to.equal(2);
    expect(unreadable.stderr).to.contain("scan.pdf: ");
    expect(unreadable.stdout).to.contain("ada.txt");
  });

  it("names files by their folders where several are named, and keeps the files of each apart", async () => {
    const { stdout } = await together("alice/", "bob/", "--group-by-folder", "--json");
    const { report } = JSON.parse(stdout);
    const pairs = report.pairs.map(({ a, b }: Record<"a" | "b", { name: string }>) => [a.name, b.name]);
    expect(pairs.map((names: string[]) => names.toSorted())).to.have.deep.members([
      ["alice/draft.txt", "bob/essay.txt"],
      ["alice/essay.txt", "bob/essay.txt"],
    ]);
    const table = await together("alice/essay.txt", "bob/essay.txt", "bob/missing.txt");
    expect(table.stdout).to.contain("  Group 1: alice/essay.txt, bob/essay.txt\n");
    expect(table.stdout).to.match(/^ {2}alice\/essay\.txt +100\.00% {2}bob\/essay\.txt /m);
    expect(table.stderr).to.contain("bob/missing.txt: There is no such file.\n");
  });

  it("applies the limit to pairs that are not shown as well", async () => {
    const hidden = ["essays", "--template", "assignment.txt", "--min-similarity", "90"];
    const over = await together(...hidden, "--fail-over", "5.5");
    expect(over.stdout).to.contain("3 files, 0 pairs of at least 90%");
    expect(over.stderr).to.contain("Over 5.5%: 1 pair\n");
    expect(over.status).to.equal(1);
    expect((await together(...hidden, "--fail-over", "89.5")).status).to.equal(0);
  });

  it("counts pairs over the limit beyond the first page of the report", async () => {
    await mkdir(join(folder, "class"));
    for (let at = 0; at < 46; at++) await writeFile(join(folder, "class", `${at}.txt`), shared);
    const { status, stderr } = await together("class", "--include-common", "--fail-over", "50");
    expect(stderr).to.contain("Over 50%: at least 1,035 pairs\n");
    expect(status).to.equal(1);
  });

  it("compares the others when a file can't be sent, and lists it", async () => {
    const paths = ["alice", "large.txt", "bob"];
    const table = await together(...paths);
    expect(table.status).to.equal(2);
    expect(table.stdout).to.contain("3 files, 3 pairs").and.to.contain("  Unreadable: large.txt\n");
    expect(table.stderr).to.contain("large.txt: The file is larger than 10 MiB");
    const json = await together(...paths, "--json");
    expect(json.status).to.equal(2);
    const { unreadable, report } = JSON.parse(json.stdout);
    expect(report.members_total).to.equal(3);
    expect(unreadable).to.deep.equal([
      {
        file: "large.txt",
        error: {
          code: "unreadable_file",
          message: "The file is larger than 10 MiB, the limit of the service.",
        },
      },
    ]);
  });

  it("names the files that can't be read when fewer than two are left, and a template that can't", async () => {
    const few = await together("bob", "large.txt");
    expect(few.status).to.equal(2);
    expect(few.stderr).to.contain("large.txt: The file is larger").and.to.contain("Name at least two files");
    const template = await together("alice", "--template", "large.txt");
    expect(template.status).to.equal(2);
    expect(template.stderr).to.contain("large.txt: The file is larger");
  });

  it("asks for a second file", async () => {
    const { status, stderr } = await together("assignment.txt");
    expect(status).to.equal(2);
    expect(stderr).to.contain("Name at least two files");
  });
});
