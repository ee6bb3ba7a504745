import { expect } from "chai";
import { judgeDiskSpace } from "../../../src/platform/stores/store-place.ts";

const GB = 1024 ** 3;

describe("the disk of the stores", () => {
  it("is too full below 2 GB, whatever its size", () => {
    expect(judgeDiskSpace("/d", { totalBytes: 10 * GB, freeBytes: 1.9 * GB })).to.have.property(
      "fits",
      false,
    );
    expect(judgeDiskSpace("/d", { totalBytes: 10 * GB, freeBytes: 2.1 * GB })).to.have.property("fits", true);
  });

  it("is too full where OpenSearch stops writing, with the way out in the message", () => {
    const verdict = judgeDiskSpace("/d", { totalBytes: 1000 * GB, freeBytes: 49 * GB });
    expect(verdict)
      .to.have.property("problem")
      .that.matches(/49\.0 GB are free on the disk of \/d \(95% used\).*DATA_DIR/);
  });

  it("warns if OpenSearch would create no index", () => {
    const verdict = judgeDiskSpace("/d", { totalBytes: 1000 * GB, freeBytes: 80 * GB });
    expect(verdict)
      .to.have.property("warning")
      .that.matches(/creates no index/);
    expect(judgeDiskSpace("/d", { totalBytes: 100 * GB, freeBytes: 50 * GB })).to.deep.equal({
      fits: true,
      warning: undefined,
    });
  });
});
