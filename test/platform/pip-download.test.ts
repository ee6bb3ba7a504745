import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { pipDownload } from "../../src/platform/pip-download.ts";

/** As the default of DATA_DIR, relative to the working directory. */
const DATA_FOLDER = ".data/test";

describe("downloading a Python package with pip", () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir(DATA_FOLDER, { recursive: true });
    folder = await mkdtemp(join(DATA_FOLDER, "pip-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Answers as pip does, with its requirements as the package. */
  const FAKE_PIP = `import { copyFileSync } from "node:fs";
const args = process.argv.slice(2);
const after = (option) => args[args.indexOf(option) + 1];
if (args[0] === "download") copyFileSync(after("-r"), after("-d") + "/package-1.0-py3-none-any.whl");`;

  it("finds its files in a folder that is relative to the working directory", async () => {
    const program = join(folder, "pip.mjs");
    await writeFile(program, FAKE_PIP);
    const wanted = { name: "package", version: "1.0", form: "wheel", sha256: "abc" } as const;
    const file = await pipDownload(wanted, folder, [[process.execPath, resolve(program)]], undefined);
    expect(await readFile(file, "utf8")).to.equal("package==1.0 --hash=sha256:abc\n");
  });
});
