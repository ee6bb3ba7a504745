import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import {
  type FolderEntry,
  PATH_BYTES_MAX,
  walkFolder,
} from "../../../../src/corpus/ingest/folder/walk-folder.ts";

/** The user that owns nothing, for tests that run as root, whom no permission stops. */
const NOBODY = 65_534;

describe("walking a folder", () => {
  let outside: string;
  let root: string;

  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), "walk-folder-")));
    root = join(outside, "root");
    await mkdir(root);
  });

  // The system's own command removes what is nested deeper than a path can say.
  afterEach(() => {
    spawnSync("rm", ["-rf", outside]);
  });

  async function files(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), path);
    }
  }

  async function link(path: string, target: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(target, join(root, path));
  }

  const walked = (): Promise<FolderEntry[]> => Array.fromAsync(walkFolder(root));

  async function paths(): Promise<string[]> {
    return (await walked()).map(({ kind, path }) => (kind === "file" ? path : `${kind} ${path}`)).toSorted();
  }

  async function onlyFault(): Promise<{ path: string; reason: string; hides: boolean }> {
    const faults = (await walked()).filter((entry) => entry.kind === "fault");
    expect(faults, JSON.stringify(faults)).to.have.lengthOf(1);
    const [{ path, reason, hides } = { path: "", reason: "", hides: false }] = faults;
    return { path, reason, hides };
  }

  it("finds the documents of the whole tree, in any letter case, and nothing else", async () => {
    await files("a.txt", "b.MD", "c/d.Pdf", "c/e/f.docx", "é/ü.txt", "line\nend.txt");
    await files("g.doc", "h.png", "txt", "i.txt.gz", "c/j", "README");
    expect(await paths()).to.deep.equal([
      "a.txt",
      "b.MD",
      "c/d.Pdf",
      "c/e/f.docx",
      "line\nend.txt",
      "é/ü.txt",
    ]);
    expect(await walked()).to.deep.include({
      kind: "file",
      path: "c/d.Pdf",
      absolutePath: join(root, "c", "d.Pdf"),
    });
  });

  it("finds nothing in an empty folder", async () => {
    expect(await walked()).to.deep.equal([]);
  });

  it("skips names that begin with a dot, with everything below, and the owner files of Word", async () => {
    await files("a.txt", ".b.txt", ".git/c.txt", "d/.e/f/g.txt", "~$h.docx", "d/~$i.DOCX", "~j.txt");
    expect(await paths()).to.deep.equal(["a.txt", "~j.txt"]);
  });

  it("finds the same as a plain listing in random trees", async () => {
    const name = fc.constantFrom("a", "b.txt", "C.PDF", ".d", "e.md", "f.png", "g.docx");
    const tree = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), {
      maxLength: 30,
      selector: (parts) => parts.join("/"),
    });
    await fc.assert(
      fc.asyncProperty(tree, async (branches) => {
        await rm(root, { recursive: true });
        await mkdir(root);
        // A name is a directory wherever some path goes on below it.
        const names = branches.map((parts) => parts.join("/"));
        const leaves = names.filter((path) => !names.some((other) => other.startsWith(`${path}/`)));
        await files(...leaves);
        const expected = leaves.filter((path) => !/(^|\/)\./.test(path) && /\.(txt|PDF|md|docx)$/.test(path));
        expect(await paths()).to.deep.equal(expected.toSorted());
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  describe("symbolic links", () => {
    it("to a file in the tree are files, read at their targets", async () => {
      await files("a.txt", ".annex/key", "bin/data");
      await link("b/c.txt", "../a.txt");
      await link("d.pdf", ".annex/key");
      await link("e", "a.txt");
      expect(await paths()).to.deep.equal(["a.txt", "b/c.txt", "d.pdf"]);
      expect(await walked()).to.deep.include({
        kind: "file",
        path: "d.pdf",
        absolutePath: join(root, ".annex", "key"),
      });
    });

    it("that lead out of the tree are reported and not followed, to files or directories, directly or through others", async () => {
      await mkdir(join(outside, "rootless"));
      await writeFile(join(outside, "rootless", "secret.txt"), "secret");
      await link("a.txt", join(outside, "rootless", "secret.txt"));
      await link("b", "../rootless");
      await link("c", "b");
      await link("d", outside);
      await link("e", join(outside, "rootless", "secret.txt"));
      expect(await paths()).to.deep.equal(["outside a.txt", "outside b", "outside c", "outside d"]);
    });

    it("to a directory in the tree that is found by its own name are not followed; cycles end", async () => {
      await files("a/b/c.txt");
      await link("a/b/up", "..");
      await link("a/b/top", root);
      await link("first", "a");
      await link("self", ".");
      expect(await paths()).to.deep.equal(["a/b/c.txt"]);
    });

    it("to a directory that is not found otherwise are followed, once", async () => {
      await files(".store/x/one.txt", ".store/x/y/two.txt");
      await link(".store/x/y/again", "..");
      await link("a", ".store/x");
      await link("b", ".store/x");
      await link("c", ".store/x/y");
      await link("d", ".store");
      expect(await paths()).to.deep.equal(["a/one.txt", "a/y/two.txt"]);
    });

    it("that are broken are faults if they look like documents", async () => {
      await link("a.txt", "gone.txt");
      await link("b", "gone");
      expect(await onlyFault()).to.deep.equal({
        path: "a.txt",
        reason: "It is a broken symbolic link.",
        hides: false,
      });
    });

    it("that form a cycle are faults if they look like documents", async () => {
      await link("a.txt", "b.txt");
      await link("b.txt", "a.txt");
      await link("c", "c");
      expect(await paths()).to.deep.equal(["fault a.txt", "fault b.txt"]);
    });
  });

  it("distinguishes pipes, sockets and directories that look like documents from files", async function () {
    if (process.platform === "win32") this.skip();
    spawnSync("mkfifo", [join(root, "pipe.txt")]);
    const server = await listening(join(root, "socket.pdf"));
    await link("link.md", "pipe.txt");
    await files("folder.txt/inner.txt");
    try {
      expect(await paths()).to.deep.equal([
        "fault link.md",
        "fault pipe.txt",
        "fault socket.pdf",
        "folder.txt/inner.txt",
      ]);
    } finally {
      server.close();
    }
  });

  it("reports names that are not valid UTF-8, and accepts names with a replacement character", async function () {
    if (process.platform !== "linux") this.skip();
    await files("real\uFFFD.txt");
    await writeFile(
      Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xe9]), Buffer.from(".txt")]),
      "x",
    );
    await writeFile(
      Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xe9]), Buffer.from(".png")]),
      "x",
    );
    expect(await paths()).to.deep.equal(["fault bad\uFFFD.txt", "real\uFFFD.txt"]);
    expect(await onlyFault()).to.include({ reason: "The name is not valid UTF-8; rename it.", hides: false });
  });

  it("reports paths that are too long for the corpus, and accepts the longest valid one", async () => {
    const folder = `${"d".repeat(199)}/`.repeat(PATH_BYTES_MAX / 200);
    await files(`${folder.slice(0, -5)}/a.txt`.slice(-PATH_BYTES_MAX));
    expect((await walked()).map(({ kind, path }) => [kind, path.length])).to.deep.equal([
      ["file", PATH_BYTES_MAX],
    ]);
    await files(`${folder.slice(0, -5)}/ab.txt`);
    expect((await onlyFault()).reason).to.match(/^The path is longer than 2000 bytes;/);
  });

  it("reports a directory that it may not read, and continues with the others", async function () {
    if (process.platform === "win32") this.skip();
    await files("a.txt", "closed/b.txt", "z/c.txt");
    await chmod(outside, 0o755);
    await chmod(join(root, "closed"), 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      expect(await paths()).to.deep.equal(["a.txt", "fault closed", "z/c.txt"]);
      expect(await onlyFault()).to.deep.equal({
        path: "closed",
        reason: "You have no permission to read it.",
        hides: true,
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(root, "closed"), 0o755);
    }
  });

  it("ignores a directory that was deleted since it was found, and reports a fault if it is the folder itself", async () => {
    await files("a.txt", "b/c.txt");
    const walk = walkFolder(root);
    expect((await walk.next()).value).to.include({ path: "a.txt" });
    await rm(join(root, "b"), { recursive: true });
    expect((await walk.next()).done).to.equal(true);
    await rm(root, { recursive: true });
    expect(await onlyFault()).to.include({ path: ".", hides: true });
  });
});

async function listening(path: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}
