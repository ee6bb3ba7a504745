import { expect } from "chai";
import { expectUsual } from "./expect-answer.ts";
import { useHostileUploads } from "./use-hostile-uploads.ts";
import type { Watched } from "./watched-service.ts";

describe("files that are made to cost much", function () {
  // A file has 30 s to be read and its check 120 s to be searched for; the rest is room for a busy machine.
  this.timeout(900_000);
  const seen: (Watched & { readonly name: string; readonly seconds: number })[] = [];
  let startedAt = 0;
  beforeEach(() => {
    startedAt = performance.now();
  });
  const { service, uploads } = useHostileUploads(true, (name, watched) =>
    seen.push({ name, seconds: (performance.now() - startedAt) / 1000, ...watched }),
  );
  after(() => {
    for (const { name, seconds, memoryMb, healthMs } of seen) {
      const figures = [
        `${seconds.toFixed(1)} s`,
        `${memoryMb.toFixed(0)} MB`,
        `/health ${healthMs.toFixed(0)} ms`,
      ];
      console.log(`      ${figures.map((one) => one.padStart(16)).join("")}  ${name}`);
    }
  });

  it("all at once: each has an answer, some of them that the service is busy, and it goes on as before", async () => {
    // Made beforehand: that is this process's work, which /health is asked by too.
    const files = uploads()
      .filter(({ costly }) => costly)
      .map((upload) => ({ name: upload.filename, content: upload.make() }));
    const { result, unhealthy, ...watched } = await service().watch(() =>
      Promise.all(
        files.map(async (file) => {
          const response = await service().client.upload("/v1/checks/upload", file);
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
    await expectUsual(service());
  });
});
