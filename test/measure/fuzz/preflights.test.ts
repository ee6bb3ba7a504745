import { expect } from "chai";
import { askPreflights } from "../../../measure/fuzz/preflights.ts";
import { useStatistics } from "../../support/use-statistics.ts";

describe("preflights at random", () => {
  const statistics = useStatistics();

  it("are never answered with 5xx", async () => {
    const faults: string[] = [];
    const { failures } = await askPreflights(statistics.address, 1, (line) => faults.push(line));
    expect(faults).to.deep.equal([]);
    expect(failures).to.equal(0);
  }).timeout(120_000);
});
