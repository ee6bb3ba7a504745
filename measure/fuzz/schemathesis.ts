import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/** The release that the settings beside this file are written for. */
const VERSION = "4.32.5";

const SETTINGS = join(import.meta.dirname, "schemathesis.toml");

const ReportFile = z.object({
  exit_code: z.number(),
  test_cases: z.object({ generated: z.number(), unique_failures: z.number(), errored: z.number() }),
});

export type FuzzRun = {
  /** Requests that were made up and sent. */
  readonly cases: number;
  /** Ways in which an answer broke a rule, each counted once. */
  readonly failures: number;
};

/**
 * Installs Schemathesis with pip into a folder of its own below the system's temporary folder, unless it is there, and
 * gives its command.
 * @throws when there is no Python 3, or pip can't reach its registry.
 */
export async function installSchemathesis(say: (line: string) => void): Promise<string> {
  const folder = join(tmpdir(), `schemathesis-${VERSION}`);
  const command = join(folder, "bin", "schemathesis");
  if (existsSync(command)) return command;
  say(`Installing Schemathesis ${VERSION} into ${folder}`);
  const run = promisify(execFile);
  await run("python3", ["-m", "venv", folder]);
  await run(join(folder, "bin", "pip"), ["install", "--quiet", `schemathesis==${VERSION}`]);
  return command;
}

/**
 * Tests an API against its own OpenAPI document with all checks, in about `casesEach` generated requests per operation. Prints
 * the failures, with the requests that show them.
 */
export async function runSchemathesis(
  command: string,
  address: string,
  { casesEach, seed }: { readonly casesEach: number; readonly seed: number },
): Promise<FuzzRun> {
  const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
  try {
    const report = join(folder, "report.json");
    const args = [
      ...["--config-file", SETTINGS, "run", `${address}/openapi.json`],
      ...["--checks", "all", "--mode", "all", "--continue-on-failure"],
      ...["--max-examples", String(casesEach), "--seed", String(seed), "--generation-database", "none"],
      // Texts of half a million characters are large and slow to make up: so they are to be.
      ...["--suppress-health-check", "all", "--warnings", "off", "--request-timeout", "60"],
      // Slow answers are measured elsewhere: on a busy machine they are not a fault.
      ...["--max-response-time", "60"],
      ...["--report", "json", "--report-json-path", report],
    ];
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
      child.once("error", reject);
      child.once("exit", () => resolve());
    });
    const { exit_code, test_cases } = ReportFile.parse(JSON.parse(await readFile(report, "utf8")));
    const failures = test_cases.unique_failures + test_cases.errored;
    return { cases: test_cases.generated, failures: exit_code === 0 ? failures : Math.max(1, failures) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
