import { globSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { freePorts, isAlive, type StoreProcess, startDaemon } from "../../../tools/stores/daemon.ts";
import {
  embeddedPostgres,
  postgresAnswers,
  postgresBinaries,
  postgresUrls,
  startPostgres,
} from "../../../tools/stores/embedded-postgres.ts";
import { storePlace } from "../../../tools/stores/store-place.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";
import { closeAfterTests, TriedService } from "./tried-service.ts";
import { CHECKS, UPLOADS } from "./workload.ts";

/** Debian and Ubuntu: libfaketime. */
const [LIBFAKETIME] = globSync("/usr/lib/*/faketime/libfaketime.so.1");

/** Against the real time. A jump ahead lets all leases run out, one back leaves times that lie ahead. */
const JUMPS = ["+1h", "+0", "-2d", "+30d", "+0", "-1h"] as const;

/** The library reads its file that often. */
const READ_SECONDS = 1;

/** A workload takes some 20 s, and after a jump back the times of waiting jobs are looked at after half a minute. */
const JUMP_TIMEOUT_MS = 300_000;

describe(`a clock that jumps ${JUMPS.length} times, with ${CHECKS} checks and ${UPLOADS} uploads under way`, function () {
  this.timeout(2 * JUMPS.length * JUMP_TIMEOUT_MS);
  let folder: string | undefined;
  let postgres: StoreProcess | undefined;
  let service: TriedService | undefined;
  closeAfterTests(() => service);
  after(async () => {
    if (postgres !== undefined) await ended(postgres);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it("loses none of them, and lets none wait for the time to come again", async function () {
    if (LIBFAKETIME === undefined) {
      console.log("skipped: needs libfaketime");
      this.skip();
    }
    folder = await mkdtemp(join(tmpdir(), "clock-"));
    await chmod(folder, 0o755);
    const clockFile = join(folder, "clock");
    const setClock = (offset: string) => writeFile(clockFile, `${offset}\n`, { mode: 0o644 });
    await setClock("+0");
    const fakeTime = {
      LD_PRELOAD: LIBFAKETIME,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_CACHE_DURATION: String(READ_SECONDS),
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };

    const store = embeddedPostgres(await storePlace(folder, () => undefined));
    const [port = 0] = await freePorts([undefined]);
    await ended(await answering(await startPostgres(store, port)));
    postgres = await answering(
      await startDaemon({
        name: "PostgreSQL",
        command: postgresBinaries(store.place).postgres,
        args: ["-D", store.data, "-p", String(port), "-c", "unix_socket_directories="],
        env: { PATH: process.env.PATH, LC_ALL: "C", ...fakeTime },
        logFile: store.logFile,
        account: store.place.account,
      }),
    );
    async function answering(started: StoreProcess): Promise<StoreProcess> {
      while ((await postgresAnswers(store, port).catch(() => false)) !== true) await sleep(50);
      return started;
    }

    const { opensearchNodes } = await testStores();
    const { databaseUrl } = postgresUrls(store, port);
    service = await TriedService.open(
      { databaseUrl, opensearchNodes, opensearchIndexPrefix: freshPrefix() },
      fakeTime,
    );
    for (const [at, jump] of JUMPS.entries()) {
      // Without a kill, timers of the process run on that were set by the other time. This is tried where the clock goes back.
      const isKilled = at % 3 !== 1;
      const workload = service.newWorkload();
      workload.begin();
      await sleep(service.undisturbedMs / 3);
      await setClock(jump);
      const started = performance.now();
      await sleep(1_500 * READ_SECONDS);
      if (isKilled) {
        await service.kill();
        await service.start();
      }
      await workload.end();
      const healSeconds = (performance.now() - started) / 1_000;
      await workload.expectUnchanged(service.undisturbed);
      const under = `${CHECKS} checks, ${UPLOADS} uploads`;
      recordFault({
        fault: `clock at ${jump}${isKilled ? ", then a kill" : ""}`,
        under,
        tries: 1,
        lost: 0,
        healSeconds,
      });
      await service.expectTidy(workload, 0);
      expect(service.errors).to.deep.equal([]);
    }
  });
});

async function ended(started: StoreProcess): Promise<void> {
  process.kill(started.pid, "SIGINT");
  while (isAlive(started)) await sleep(50);
}
