import { expect } from "chai";
import { type Beacon, lightBeacon } from "./beacon.ts";
import { hostileUploads } from "./catalogue.ts";
import { expectAnswer } from "./expect-answer.ts";
import type { HostileUpload } from "./hostile-upload.ts";
import { startWatchedService, type Watched, type WatchedService } from "./watched-service.ts";

/** Where no beacon is lit yet, to know the names: the port of discarded data. */
const NOWHERE = "http://127.0.0.1:9/beacon";

export type HostileTests = {
  /** Both throw before the hooks of the `describe` have run. */
  readonly service: () => WatchedService;
  readonly uploads: () => readonly HostileUpload[];
};

/**
 * A watched service for the tests of the enclosing `describe`, and one test for each upload of the catalogue that is
 * costly, or is not.
 * @param onWatched told of each upload that had its answer
 */
export function useHostileUploads(
  isCostly: boolean,
  onWatched: (name: string, watched: Watched) => void = () => {},
): HostileTests {
  let started: { readonly service: WatchedService; readonly beacon: Beacon } | undefined;
  const running = () => {
    if (started === undefined) throw new Error("the service is not running");
    return started;
  };
  before(async function () {
    this.timeout(240_000);
    const beacon = await lightBeacon();
    started = { beacon, service: await startWatchedService() };
  });
  after(async () => {
    await started?.service.stop();
    started?.beacon.stop();
  });
  const uploads = () => hostileUploads(running().beacon.address);

  for (const [at, { name, costly = false }] of hostileUploads(NOWHERE).entries()) {
    if (costly !== isCostly) continue;
    it(`${name}: has its answer, and the service goes on as before`, async () => {
      const upload = uploads()[at];
      if (upload === undefined) throw new Error("the catalogue changed");
      onWatched(name, await expectAnswer(running().service, upload));
      expect(running().beacon.asked(), "requests to the beacon").to.equal(0);
    });
  }
  return { service: () => running().service, uploads };
}
