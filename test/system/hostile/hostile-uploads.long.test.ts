import { expect } from "chai";
import { type Beacon, lightBeacon } from "./beacon.ts";
import { hostileUploads } from "./catalogue.ts";
import { expectAnswer, expectUsual } from "./expect-answer.ts";
import { startWatchedService, type Watched, type WatchedService } from "./watched-service.ts";

const NOWHERE = "http://127.0.0.1:9/beacon";

describe("files that are made to cost much", function () {
  // A file has 30 s to be read and its check 120 s to be searched for; the rest is room for a busy machine.
  this.timeout(900_000);
  const seen: (Watched & { readonly name: string; readonly seconds: number })[] = [];
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
    for (const { name, seconds, memoryMb, healthMs } of seen) {
      const figures = [
        `${seconds.toFixed(1)} s`,
        `${memoryMb.toFixed(0)} MB`,
        `/health ${healthMs.toFixed(0)} ms`,
      ];
      console.log(`      ${figures.map((one) => one.padStart(16)).join("")}  ${name}`);
    }
  });

  for (const [at, { name, costly }] of hostileUploads(NOWHERE).entries()) {
    if (!costly) continue;
    it(`${name}: has its answer, and the service goes on as before`, async () => {
      const upload = hostileUploads(beacon.address)[at];
      if (upload === undefined) throw new Error("the catalogue changed");
      const started = performance.now();
      const watched = await expectAnswer(service, upload);
      seen.push({ name, seconds: (performance.now() - started) / 1000, ...watched });
      expect(beacon.asked(), "requests to the beacon").to.equal(0);
    });
  }

  it("all at once: each has an answer, some of them that the service is busy, and it goes on as before", async () => {
    // Made beforehand: that is this process's work, which /health is asked by too.
    const files = hostileUploads(beacon.address)
      .filter(({ costly }) => costly)
      .map((upload) => ({ name: upload.filename, content: upload.make() }));
    const { result, unhealthy, ...watched } = await service.watch(() =>
      Promise.all(
        files.map(async (file) => {
          const response = await service.client.upload("/v1/checks/upload", file);
          if (response.status === 503) expect(response.headers.get("retry-after")).to.match(/^\d+$/);
          await response.text();
          return response.status;
        }),
      ),
    );
    expect(result.filter((status) => ![202, 415, 422, 503].includes(status))).to.deep.equal([]);
    expect(result).to.include(503);
    expect(unhealthy).to.equal(0);
    seen.push({ name: "all of these at once", seconds: 0, unhealthy, ...watched });
    await expectUsual(service);
  });
});
