import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { childEnvironment } from "../../support/processes/child-environment.ts";
import { useEngine } from "../../support/use-engine.ts";
import { runCheckCommand, SCRIPT, textOf } from "./run-check-command.ts";

const COPIED =
  "The ferry to the island leaves at six in the morning, and whoever misses it waits until the tide turns.";
const QUERY = `We stayed at the harbour. ${COPIED} We did not sleep much.`;
const HOSTILE_TITLE = "Ferry \u001B[31m\u001B]0,taken\u0007 <b>";
const CHECK_URL = /http:\/\/127\.0\.0\.1:\d+\/checks\/([0-9a-f-]{36})/;

/** Each test starts up to three processes, on a machine that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the check command", function () {
  this.timeout(TIMEOUT_MS);
  const folder = join(tmpdir(), `check-command-${randomUUID()}`);
  after(() => rm(folder, { recursive: true, force: true }));

  const engine = useEngine();

  before(async () => {
    await mkdir(folder);
    await writeFile(join(folder, "harbour.txt"), QUERY);
    await writeFile(
      join(folder, "own words.md"),
      "Nothing here was written by anybody else, as far as anybody knows.",
    );
    await writeFile(join(folder, "scan.pdf"), "%PDF-1.7 and nothing that could be read");
    await engine.client.addDocument("ferry.txt", COPIED, {
      title: HOSTILE_TITLE,
      source_url: "https://example.org/ferry",
    });
  });

  /** Its time budget is spent before anything is searched. */
  const hurried = useEngine({ checkTimeBudgetMs: 0 });

  const check = (args: readonly string[], input = "", environment: Record<string, string> = {}) =>
    runCheckCommand(args, folder, { ENGINE_URL: engine.client.base, ...environment }, input);

  it("prints score, sources and passages, plainly where the output is no terminal", async () => {
    const { status, stdout } = await check(["harbour.txt"]);
    expect(status).to.equal(0);
    expect(stdout).to.match(
      /^harbour\.txt\n {2}\d\d\.\d\d% of the text also appears in the corpus: \d+ of 152 characters, 1 source\n/,
    );
    expect(stdout).to.contain("Ferry \\u{1b}[31m\\u{1b}]0,taken\\u{7} <b>\n");
    expect(stdout)
      .to.contain("https://example.org/ferry\n")
      .and.to.match(/identical {8}26–/);
    expect(stdout).to.match(CHECK_URL);
    expect(stdout.replaceAll("\n", "")).not.to.match(/\p{Cc}/u);
  });

  it("checks standard input", async () => {
    const { status, stdout } = await check(["-", "--title", "By pipe"], QUERY);
    expect(status).to.equal(0);
    expect(stdout).to.match(/^standard input\n/);
    const checkId = CHECK_URL.exec(stdout)?.[1] ?? "";
    expect((await engine.client.check(checkId)).title).to.equal("By pipe");
  });

  it("prints one line of JSON for each file, in their order, also for one that fails", async () => {
    const { status, stdout, stderr } = await check([
      "harbour.txt",
      "scan.pdf",
      "own words.md",
      "--json",
      "--min-words",
      "3",
    ]);
    expect(status).to.equal(2);
    expect(stdout.replaceAll("\n", "")).not.to.match(/\p{Cc}/u);
    const [harbour, scan, own] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(harbour.report.sources[0].title).to.equal(HOSTILE_TITLE);
    expect(harbour.report.filters.applied).to.deep.equal({ min_words: 3 });
    expect(CHECK_URL.exec(harbour.url)?.[1]).to.equal(harbour.check_id);
    expect(scan).to.deep.include({ file: "scan.pdf", check_id: null, url: null });
    expect(scan.error.code).to.equal("unreadable_file");
    expect(own.report.overall_similarity_pct).to.equal(0);
    expect(stderr).to.contain("scan.pdf: ");
  });

  it("ends with 1 when a file is over the limit, and names it", async () => {
    const over = await check(["harbour.txt", "own words.md", "--fail-over", "20"]);
    expect(over.status).to.equal(1);
    expect(over.stderr).to.match(/^Over 20%: harbour\.txt \(\d+\.\d\d%\)$/m);
    expect((await check(["harbour.txt", "--fail-over", "100"])).status).to.equal(0);
    // What the filters leave out does not count.
    expect((await check(["harbour.txt", "--fail-over", "20", "--min-words", "500"])).status).to.equal(0);
  });

  it("does not let a file pass of which only a part was searched for", async () => {
    const address = { ENGINE_URL: hurried.client.base };
    const limited = await check(["harbour.txt", "--fail-over", "20"], "", address);
    expect(limited.status).to.equal(2);
    expect(limited.stderr).to.match(
      /^harbour\.txt: only part of the text was checked, so it may be over 20%\. Check it again\.$/m,
    );
    expect((await check(["harbour.txt"], "", address)).status).to.equal(0);
  });

  it("ends with 2 for what can't be sent, and says why", async () => {
    await writeFile(join(folder, "large.txt"), Buffer.alloc(10 * 1024 * 1024 + 1, "a "));
    const { status, stderr } = await check(["nowhere.txt", ".", "large.txt"]);
    expect(status).to.equal(2);
    expect(stderr).to.contain("nowhere.txt: There is no such file.");
    expect(stderr).to.contain(".: This is a folder. Name the files in it.");
    expect(stderr).to.contain("large.txt: The file is larger than 10 MiB");
  });

  it("ends with 2 and the usage when it is called wrongly", async () => {
    const { status, stderr } = await check(["harbour.txt", "--fail-over", "much"]);
    expect(status).to.equal(2);
    expect(stderr).to.match(/^--fail-over must be a number from 0 to 100, not "much"\.\n\nUsage: /);
  });

  it("says how to start the service where none answers, or that something else does", async () => {
    const nowhere = await check(["harbour.txt"], "", { ENGINE_URL: "http://127.0.0.1:1" });
    expect(nowhere.status).to.equal(2);
    expect(nowhere.stderr).to.equal(
      "No service answers at http://127.0.0.1:1. Start it with npm start in its folder, or give another address with --url or ENGINE_URL.\n",
    );
    const below = await check(["harbour.txt", "--url", `${engine.client.base}/elsewhere`]);
    expect(below.status).to.equal(2);
    expect(below.stderr).to.match(
      /is not Similarity Check, or a proxy answers in its place: Not found \(404\)\.\n$/,
    );
  });

  it("takes no offence when its reader has read enough", async () => {
    const child = spawn(process.execPath, [SCRIPT, "harbour.txt", "own words.md"], {
      cwd: folder,
      env: childEnvironment({ ENGINE_URL: engine.client.base }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [stderr] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
    expect(stderr).to.equal("");
  });

  it("has colours on a terminal, and keeps its lines within the width of it", async function () {
    const terminal = await onTerminal(
      this,
      { args: ["harbour.txt"], cwd: folder, columns: 70 },
      engine.client.base,
    );
    expect(terminal.status).to.equal(0);
    expect(terminal.text).to.contain("\u001B[1mharbour.txt\u001B[22m\r\n");
    expect(terminal.text).to.contain("\u001B[31midentical").and.not.to.contain("\u001B]0");
    const line = terminal.text.split("\r\n").find((text) => /identical.*–/.test(text)) ?? "";
    expect(stripVTControlCharacters(line)).to.have.length(70).and.match(/…$/);
  });
});

describe("the check command when it is stopped", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine({ roles: ["engine"] });

  it("shows on a terminal what it is at, ends at Ctrl-C with 130, and says where the check goes on", async function () {
    const terminal = await onTerminal(
      this,
      { args: [SCRIPT, "--title", "Source"], cwd: tmpdir(), columns: 60, interruptAt: "waiting: 0 of 0" },
      engine.client.base,
    );
    expect(terminal.status).to.equal(130);
    expect(terminal.text).to.match(/\[-+\] waiting: 0 of 0 or more parts/);
    expect(terminal.text).to.match(
      /Stopped\.\r\n.*check\.ts: the check continues in the service: http:.*\r\n$/,
    );
    const checkId = CHECK_URL.exec(terminal.text)?.[1] ?? "";
    expect((await engine.client.check(checkId)).status).to.equal("pending");
  });

  it("does not wait for the end of standard input", async function () {
    const terminal = await onTerminal(
      this,
      { args: ["-"], cwd: tmpdir(), columns: 60, interruptAt: "end with Ctrl-D." },
      engine.client.base,
    );
    expect(terminal.status).to.equal(130);
    expect(terminal.text).to.match(/Stopped\.\r\n$/);
  });
});

type OnTerminal = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly columns: number;
  /** Ctrl-C is pressed when this was written. */
  readonly interruptAt?: string;
};

/** Runs the command on a terminal, which Python's standard library can make; gives its status and all that it wrote there. */
async function onTerminal(
  test: Mocha.Context,
  { args, cwd, columns, interruptAt = "" }: OnTerminal,
  engineUrl: string,
): Promise<{ readonly status: number | null; readonly text: string }> {
  const command = ["-c", TERMINAL, String(columns), interruptAt, process.execPath, SCRIPT, ...args];
  const child = spawn("python3", command, {
    cwd,
    env: { PATH: process.env.PATH, TERM: "xterm", ENGINE_URL: engineUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const started = await Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]);
  if (!started) {
    console.warn("      python3 is not here: what a terminal is shown was not looked at");
    test.skip();
  }
  const text = await textOf(child.stdout);
  if (child.exitCode === null) await once(child, "exit");
  return { status: child.exitCode, text };
}

/** Runs a program on a terminal, copies what comes there to the standard output, and ends with the program's status. */
const TERMINAL = `
import fcntl, os, pty, struct, sys, termios
columns, interrupt_at, *command = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(columns), 0, 0))
    os.execv(command[0], command)
seen = b""
try:
    while True:
        read = os.read(terminal, 65536)
        os.write(1, read)
        seen += read
        if interrupt_at and interrupt_at.encode() in seen:
            interrupt_at = ""
            os.write(terminal, bytes([3]))
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
`;
