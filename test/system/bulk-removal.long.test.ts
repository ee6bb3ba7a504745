import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { prose } from "../support/work/prose.ts";
import { IngestProcess, useIngest } from "./ingest-process.ts";

describe("the commands that list and remove documents of bulk loads", () => {
  let place: string;
  const { start, run } = useIngest();

  before(async () => {
    place = await mkdtemp(join(tmpdir(), "removal-"));
    await mkdir(join(place, "sub"));
    for (const [at, path] of ["a.txt", "b.txt", "sub/c.txt"].entries())
      await writeFile(join(place, path), prose(at, 200));
  });
  after(() => rm(place, { recursive: true }));

  async function output(script: string, ...args: readonly string[]): Promise<string> {
    const command = start(script, ...args);
    expect(await command.ended(), command.stderr).to.equal(0);
    return command.stdout;
  }

  it("list, show and remove those of a folder, and count what they do", async () => {
    await run("ingest", place);
    expect(await output("corpus/list")).to.match(
      new RegExp(`^ +documents .*\\n +3 +[36] .* folder:${place}\\n$`),
    );
    const shown = await output("corpus/list", "--folder", join(place, "sub"), "--documents", "--json");
    expect(JSON.parse(shown)).to.include({
      collection: `folder:${place}`,
      path: "sub/c.txt",
      language: "en",
    });

    const removed = await output("corpus/remove", "--folder", join(place, "sub"), "--yes", "--json");
    expect(removed).to.equal('{"removed":1}\n');
    const { collections } = JSON.parse(await output("corpus/list", "--json"));
    expect(collections).to.have.length(1);
    expect(collections[0]).to.include({ collection: `folder:${place}`, documents: 2 });
    expect(await output("corpus/remove", "--collection", `folder:${place}`, "--yes")).to.equal(
      "2 documents removed\n",
    );
    expect(await output("corpus/list")).to.equal("There are none.\n");
    expect(await output("corpus/remove", "--source", "https://example.org", "--yes")).to.equal(
      "0 documents removed\n",
    );
  }).timeout(120_000);

  for (const [script, args, message] of [
    ["corpus/remove", ["--yes"], "No option says which documents to remove."],
    ["corpus/remove", ["--collection", "a"], "Nobody can answer the question before the removal: add --yes."],
    ["corpus/remove", ["--language", "de,xx", "--yes"], 'not "xx"'],
    ["corpus/list", ["--added-since", "yesterday"], "--added-since must be a time such as 2026-11-28"],
    ["corpus/list", ["--added-before", "2026-13-01"], "--added-before must be a time such as 2026-11-28"],
  ] as const) {
    it(`reject \`${script} ${args.join(" ")}\` with status 2, before they connect to a store`, async () => {
      const command = new IngestProcess(
        args,
        { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
        script,
      );
      expect(await command.ended()).to.equal(2);
      expect(command.stderr).to.include(message).and.include("Usage: npm run");
      expect(command.stdout).to.equal("");
    });
  }
});
