import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";

const SUPERVISE = join(import.meta.dirname, "../../tools/launch/supervise.mjs");

describe("the launcher's supervision", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "supervise-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /**
   * Supervises a program in a process group of its own; `tidied` tells whether the program behind it ran to its end.
   * @param tidiesUntil a file; the program behind it ends once that is there
   */
  async function supervise(service: string, tidiesUntil?: string) {
    const file = (name: string) => join(folder, name);
    await writeFile(file("service.mjs"), service);
    await writeFile(
      file("tidy.mjs"),
      `import { existsSync, writeFileSync } from "node:fs";
       writeFileSync(${JSON.stringify(file("tidying"))}, "");
       const awaited = ${JSON.stringify(file(tidiesUntil ?? "tidying"))};
       while (!existsSync(awaited)) await new Promise((resolve) => setTimeout(resolve, 20));
       writeFileSync(${JSON.stringify(file("tidied"))}, "");`,
    );
    await writeFile(
      file("launcher.mjs"),
      `import { supervise } from ${JSON.stringify(SUPERVISE)};
       process.exitCode = await supervise([${JSON.stringify(file("service.mjs"))}], [${JSON.stringify(file("tidy.mjs"))}]);`,
    );
    const launcher = spawn(process.execPath, [file("launcher.mjs")], { detached: true, stdio: "ignore" });
    const ended = once(launcher, "exit");
    return {
      has: (name: string) => existsSync(file(name)),
      add: (name: string) => writeFile(file(name), ""),
      signalGroup: (signal: NodeJS.Signals) => process.kill(-(launcher.pid ?? 0), signal),
      end: async (): Promise<unknown> => (await ended)[0],
    };
  }

  it("tidies up after a start that failed, and does not repeat it", async () => {
    const launch = await supervise("throw new Error('failed')");
    expect(await launch.end()).to.equal(1);
    expect(launch.has("tidied")).to.equal(true);
  });

  it("does not tidy up after a service that ended well", async () => {
    const launch = await supervise("");
    expect(await launch.end()).to.equal(0);
    expect(launch.has("tidying")).to.equal(false);
  });

  it("tidies up to the end, however often the whole group is told to stop meanwhile", async () => {
    const launch = await supervise("throw new Error('failed')", "all signals sent");
    while (!launch.has("tidying")) await sleep(10);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGTERM"] as const) {
      launch.signalGroup(signal);
      await sleep(50);
    }
    await launch.add("all signals sent");
    expect(await launch.end()).to.equal(1);
    expect(launch.has("tidied")).to.equal(true);
  });
});
