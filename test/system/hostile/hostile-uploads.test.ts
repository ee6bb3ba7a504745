import { expect } from "chai";
import { type Beacon, lightBeacon } from "./beacon.ts";
import { hostileUploads } from "./catalogue.ts";
import { expectAnswer } from "./expect-answer.ts";
import { startWatchedService, type WatchedService } from "./watched-service.ts";

/** Where no beacon is lit yet, to know the names: the port of discarded data. */
const NOWHERE = "http://127.0.0.1:9/beacon";

describe("files that are made to do harm", function () {
  // Only so that a file which holds the service up for ever is seen: each takes some 20 ms to 3 s.
  this.timeout(60_000);
  let service: WatchedService;
  let beacon: Beacon;

  before(async function () {
    this.timeout(240_000);
    beacon = await lightBeacon();
    service = await startWatchedService();
  });
  after(async () => {
    await service?.stop();
    beacon?.stop();
  });

  for (const [at, { name, costly }] of hostileUploads(NOWHERE).entries()) {
    if (costly) continue;
    it(`${name}: has its answer, and the service goes on as before`, async () => {
      const upload = hostileUploads(beacon.address)[at];
      if (upload === undefined) throw new Error("the catalogue changed");
      await expectAnswer(service, upload);
      expect(beacon.asked(), "requests to the beacon").to.equal(0);
    });
  }
});
