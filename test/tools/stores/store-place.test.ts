import { expect } from "chai";
import { judgeDiskSpace } from "../../../tools/stores/store-place.ts";

const GB = 1024 ** 3;

describe("the disk space of the stores", () => {
  it("is insufficient below 2 GB, whatever the size of the disk", () => {
    expect(judgeDiskSpace("/d", 10 * GB, 1.9 * GB)).to.have.property("problem");
    expect(judgeDiskSpace("/d", 10 * GB, 2.1 * GB)).not.to.have.property("problem");
  });

  it("is insufficient where OpenSearch stops writing; the message names the remedy", () => {
    const { problem } = judgeDiskSpace("/d", 1000 * GB, 49 * GB);
    expect(problem).to.match(/49\.0 GB are free on the disk of \/d \(95% used\).*DATA_DIR/);
  });

  it("causes a warning where OpenSearch would create no index", () => {
    expect(judgeDiskSpace("/d", 1000 * GB, 80 * GB).warning).to.match(/creates no index/);
    expect(judgeDiskSpace("/d", 100 * GB, 50 * GB)).to.deep.equal({});
  });
});
