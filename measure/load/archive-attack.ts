import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32, deflateRawSync } from "node:zlib";
import type { EngineClient } from "../../test/support/client.ts";
import { findings, QUERIES, Workload } from "../../test/system/faults/workload.ts";
import { makeZipOf } from "../../test/system/hostile/word/made-zip.ts";
import { type HealthTimes, watchHealth } from "./health-watch.ts";

/** Clients that send an archive, hang up after a while, and send the next one. */
const CLIENTS = 24;
const HANG_UP_MS = 8_000;

/** What a round of checks and uploads may take once the attack is over; what is not done by then counts as lost. */
const ROUND_MAX_MS = 60_000;

export type ArchiveAttackOutcome = {
  /** Rounds of 20 checks and 20 uploads. */
  readonly rounds: number;
  /** Rounds of which a check or an upload was lost or has another result than undisturbed, with the reason of the first. */
  readonly lost: number;
  readonly reason: string;
  /** The attack's archives by the status of their answer; 0: hung up before an answer. */
  readonly answers: Readonly<Record<number, number>>;
  /** Answers that did not accept a check or an upload. */
  readonly refused: number;
  readonly seconds: number;
  readonly health: HealthTimes;
};

/** Sends archives that are made to be costly, 24 at once, beside 20 checks and 20 uploads at a time. */
export async function attackWithArchives(
  client: EngineClient,
  minutes: number,
): Promise<ArchiveAttackOutcome> {
  const undisturbed = await Promise.all(QUERIES.map(async (text) => findings(await client.checked(text))));
  const watch = watchHealth(client);
  const started = performance.now();
  const attack = new ArchiveClients(client);
  const rounds: { readonly work: Workload; readonly ended: boolean }[] = [];
  while (performance.now() - started < minutes * 60_000) {
    const work = new Workload(client, 2_000 + rounds.length);
    work.begin();
    const leftMs = Math.max(0, minutes * 60_000 - (performance.now() - started));
    rounds.push({ work, ended: await endsWithin(work, leftMs + ROUND_MAX_MS) });
  }
  const seconds = (performance.now() - started) / 1000;
  await attack.end();
  process.stderr.write(
    `${rounds.length} rounds, archives ${JSON.stringify(Object.fromEntries(attack.answers))}\n`,
  );
  const health = await watch.end();
  const reasons: string[] = [];
  for (const { work, ended } of rounds) {
    const reason = ended ? await work.expectUnchanged(undisturbed).catch(String) : "did not end";
    if (reason !== undefined) reasons.push(reason);
  }
  return {
    rounds: rounds.length,
    lost: reasons.length,
    reason: reasons[0] ?? "",
    answers: Object.fromEntries(attack.answers),
    refused: rounds.reduce((sum, { work }) => sum + work.refusals.length, 0),
    seconds,
    health,
  };
}

async function endsWithin(work: Workload, ms: number): Promise<boolean> {
  const late = new AbortController();
  const timer = sleep(ms, false, { signal: late.signal }).catch(() => false);
  const ended = work.end().then(
    () => true,
    () => false,
  );
  const isEnded = await Promise.race([ended, timer]);
  late.abort();
  if (!isEnded) work.giveUp();
  return isEnded;
}

/** Clients that send costly archives until they are told to end. */
export class ArchiveClients {
  /** Requests by the status of their answer; 0: hung up before. */
  readonly answers = new Map<number, number>();
  readonly #client: EngineClient;
  readonly #ending = new AbortController();
  readonly #all: Promise<void>[];

  constructor(client: EngineClient) {
    this.#client = client;
    this.#all = Array.from({ length: CLIENTS }, (_, at) =>
      this.#attack(COSTLY_ARCHIVES[at % COSTLY_ARCHIVES.length] ?? sharedStream),
    );
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#all);
  }

  async #attack(make: () => Buffer): Promise<void> {
    const archive = make();
    while (!this.#ending.signal.aborted) {
      const form = new FormData();
      form.set("files", new Blob([Uint8Array.from(archive)]), "class.zip");
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(HANG_UP_MS)]);
      const status = await this.#client
        .request("/v1/batches", { method: "POST", body: form, signal })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      await sleep(NEXT_MS);
    }
  }
}

/** One that is refused comes again after this. */
const NEXT_MS = 200;

const COSTLY_ARCHIVES = [sharedStream, ownStreams, wrongChecksums];

/** It unpacks to 40 MB, of which a file may have 10 MiB. */
function costlyStream(): Buffer {
  return deflateRawSync(Buffer.alloc(40_000_000), { level: 9 });
}

/** 10,000 files that share one stream of 39 KB, each declared with one byte. */
export function sharedStream(files = 10_000): Buffer {
  const packed = { bytes: costlyStream(), method: "deflated", size: 1, crc: crc32("x") } as const;
  const others = Array.from({ length: files - 1 }, (_, at) => ({
    ...packed,
    ...{ name: String(at), bytes: Buffer.alloc(0), packedSize: packed.bytes.length, offset: 0 },
  }));
  return makeZipOf([{ ...packed, name: "first" }, ...others]);
}

/** 300 files with a stream of their own, each declared with one byte: 12 MB that would unpack to 12 GB. */
export function ownStreams(files = 300): Buffer {
  const packed = { bytes: costlyStream(), method: "deflated", size: 1, crc: crc32("x") } as const;
  return makeZipOf(Array.from({ length: files }, (_, at) => ({ ...packed, name: `${at}.txt` })));
}

/** 51 files of 10 MiB with their true lengths, which unpack to all that a request may: only at its end is each found to be damaged. */
export function wrongChecksums(files = 51): Buffer {
  const size = 10 * 1024 * 1024;
  const bytes = deflateRawSync(Buffer.alloc(size), { level: 9 });
  const packed = { bytes, method: "deflated", size, crc: 1 } as const;
  return makeZipOf(Array.from({ length: files }, (_, at) => ({ ...packed, name: `${at}.txt` })));
}
