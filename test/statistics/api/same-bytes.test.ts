import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { PATHS, WireAnswers } from "./wire-answers.ts";

describe("decisions, Statistics: the same data gives the same bytes, and a load is seen", () => {
  const statistics = useStatistics();

  async function bodies(address?: string): Promise<string[]> {
    return Promise.all(
      PATHS.map(async (path) => {
        const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
        return response.text();
      }),
    );
  }

  it("gives equal bytes from every replica and after the same files are loaded again", async () => {
    const load = createLoadStatistics(statistics);
    const files = await smallSet(statistics.folder);
    await load(files);
    const replica = await statistics.addReplica();
    const first = await bodies(replica.address);
    await load(files);
    const another = await statistics.addReplica();
    expect(await bodies(another.address)).to.deep.equal(first);
    expect(await bodies(replica.address)).to.deep.equal(first);
  });

  it("answers with the new data as soon as the load is over, in every replica", async () => {
    const replica = await statistics.addReplica();
    const papersOf = async (address?: string) => {
      const path = "/v1/country/LI";
      const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
      return WireAnswers.country.parse(await response.json()).data.country.papers;
    };
    expect([await papersOf(), await papersOf(replica.address)]).to.deep.equal([0, 0]);
    await createLoadStatistics(statistics)(await smallSet(statistics.folder, 3));
    // A process hears of the load by a notification, which the load's end may outrun by a moment.
    for (let turn = 0; turn < 100 && (await papersOf(replica.address)) !== 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([await papersOf(), await papersOf(replica.address)]).to.deep.equal([3, 3]);
  });
});
