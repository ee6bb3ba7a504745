import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { errorMessage } from "../../src/platform/error-code.ts";
import { BatchClient } from "../../test/batches/batch-client.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { childEnvironment } from "../../test/support/processes/child-environment.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { prose } from "../../test/support/work/prose.ts";

/** Documents in the folder; each is a few chunks, so that a rebuild and searches have something to do. */
const FOLDER_DOCUMENTS = 40;
const DOCUMENT_WORDS = 600;

/** After a deletion, until the chunks in OpenSearch are gone as well. */
const CLEANUP_MS = 3_000;

/** No command takes longer than this. */
const COMMAND_BOUND_MS = 5 * 60_000;

const SCRIPTS = fileURLToPath(new URL("../../scripts/", import.meta.url));
const RECORD_ANSWERS = fileURLToPath(new URL("record-answers.ts", import.meta.url));

export type StepRun = {
  /** Settings of the service and its commands: the addresses of both stores, the prefix, the access. */
  readonly environment: Readonly<Record<string, string>>;
  /** Settings of a single command, which may be a user of its own. */
  readonly environmentOf?: (command: string) => Readonly<Record<string, string>>;
  /** Contains the files that are loaded and the recorded answers. */
  readonly folder: string;
  readonly answersFile: string;
  readonly say: (line: string) => void;
};

export type StepResult = { readonly step: string; readonly fromMs: number; readonly fault?: string };

/** Runs the service and all of its commands once. A step that fails does not keep the next ones from being tried. */
export async function runSteps(run: StepRun): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const attempt = async (step: string, work: () => Promise<void>) => {
    const fromMs = Date.now();
    run.say(`  ${step}`);
    const fault = await work().then(
      () => undefined,
      (error: unknown) => errorMessage(error),
    );
    if (fault !== undefined) run.say(`  ${step} failed: ${fault}`);
    results.push({ step, fromMs, ...(fault !== undefined && { fault }) });
    return fault === undefined;
  };
  const files = writeFiles(run.folder);
  let service: ServiceProcess | undefined;
  const start = async () => {
    service = await ServiceProcess.start(environment(run, "service"));
  };
  if (!(await attempt("start", start)) || service === undefined) return results;
  const { client } = service;
  try {
    let documentId = "";
    let checkId = "";
    let batchId = "";
    await attempt("ingest", () => command(run, "ingest", [files]));
    await attempt("upload", async () => {
      documentId = (await client.addDocument("uploaded.txt", UPLOADED)).document_id;
    });
    await attempt("check", async () => {
      checkId = await client.submit(UPLOADED);
      await client.ended(checkId);
      await expectCopied(client, UPLOADED);
      await expectCopied(client, textOf(0));
    });
    await attempt("check of the CLI", () =>
      command(run, "check", [join(files, "document-1.txt"), "--url", client.base]),
    );
    await attempt("batch", async () => {
      const members = [
        { name: "a", text: prose(5_001, 200) },
        { name: "b", text: prose(5_001, 180) },
      ];
      const compared = await new BatchClient(() => client).compared(members);
      batchId = compared.batch.batch_id;
      if (compared.batch.members_failed > 0) throw new Error("a member failed");
    });
    await attempt("corpus:rebuild", async () => {
      await command(run, "corpus/rebuild", []);
      await command(run, "corpus/rebuild", ["--drop-old"]);
      await expectCopied(client, textOf(0));
    });
    await attempt("corpus:verify", () => command(run, "corpus/verify", ["--repair"]));
    await attempt("corpus:refresh", () => command(run, "corpus/refresh", []));
    await attempt("corpus:frequencies", () => command(run, "corpus/frequencies", []));
    await attempt("deletion", async () => {
      for (const path of [`corpus/documents/${documentId}`, `checks/${checkId}`, `batches/${batchId}`]) {
        const answer = await client.request(`/v1/${path}`, { method: "DELETE" });
        if (!answer.ok) throw new Error(`DELETE ${path}: ${answer.status} ${await answer.text()}`);
      }
      await sleep(CLEANUP_MS);
      const { overall_similarity_pct } = await client.checked(UPLOADED);
      if (overall_similarity_pct > 0) throw new Error("a deleted document was found");
    });
    await attempt("ingest --prune", async () => {
      rmSync(join(files, "document-0.txt"));
      await command(run, "ingest", [files, "--prune"]);
      await command(run, "corpus/verify", []);
    });
  } finally {
    await service.end("SIGTERM");
  }
  await attempt("second start", async () => {
    await start();
    await service?.end("SIGTERM");
  });
  return results;
}

const UPLOADED = prose(5_000, 400);

function textOf(at: number): string {
  return prose(4_000 + at, DOCUMENT_WORDS);
}

function writeFiles(folder: string): string {
  const files = join(folder, "documents");
  mkdirSync(files, { recursive: true });
  for (let at = 0; at < FOLDER_DOCUMENTS; at += 1)
    writeFileSync(join(files, `document-${at}.txt`), textOf(at));
  return files;
}

async function expectCopied(client: EngineClient, text: string): Promise<void> {
  const { coverage, overall_similarity_pct } = await client.checked(text);
  if (coverage !== "full" || overall_similarity_pct < 100)
    throw new Error(`a copied text has ${overall_similarity_pct}% and the coverage ${coverage}`);
}

function environment(run: StepRun, command: string): Record<string, string> {
  return {
    SEMANTIC: "off",
    LOG_LEVEL: "warn",
    ...run.environment,
    ...run.environmentOf?.(command),
    ANSWERS_FILE: run.answersFile,
    NODE_OPTIONS: `--import=${RECORD_ANSWERS}`,
  };
}

/** Runs a script as its user does. @throws with its last lines when it ends with another status than 0 */
async function command(run: StepRun, script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(SCRIPTS, `${script}.ts`), ...args], {
    env: childEnvironment(environment(run, script)),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: COMMAND_BOUND_MS,
  });
  const [stdout, stderr] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, "close"),
  ]);
  if (child.exitCode !== 0)
    throw new Error(
      `${script} ended with ${child.exitCode ?? child.signalCode}: ${`${stdout}${stderr}`.slice(-1_500)}`,
    );
}
