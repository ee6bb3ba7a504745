import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { PeerMissing } from "./peer-job.ts";

/** The releases that the programs in `python` are written for. */
const PACKAGES = ["datasketch==2.0.0", "rensa==0.5.0", "copydetect==0.5.0"] as const;

const PROGRAMS = join(import.meta.dirname, "python");

/** The command of a program in the folder `python`: the interpreter, and the file. */
export type PythonPeers = (program: string) => { readonly command: string; readonly program: string };

/**
 * Makes a virtual environment with the Python peers below `dataDir`, unless it is there.
 * @returns why not, when there is no Python 3, or pip can't reach its registry.
 */
export async function installPythonPeers(
  dataDir: string,
  say: (line: string) => void,
): Promise<PythonPeers | PeerMissing> {
  const folder = resolve(dataDir, "peers", PACKAGES.join("-").replaceAll("==", "-"));
  const isReady = join(folder, "ready");
  if (!existsSync(isReady)) {
    say(`Installing ${PACKAGES.join(", ")} into ${folder}`);
    try {
      const run = promisify(execFile);
      await run("python3", ["-m", "venv", "--clear", folder]);
      await run(join(folder, "bin", "pip"), ["install", "--quiet", ...PACKAGES]);
      await writeFile(isReady, "");
    } catch (cause) {
      await rm(folder, { recursive: true, force: true });
      return new PeerMissing("not installed; it takes Python 3 with venv and pip, and pip's registry", {
        cause,
      });
    }
  }
  return (program) => ({ command: join(folder, "bin", "python"), program: join(PROGRAMS, program) });
}
