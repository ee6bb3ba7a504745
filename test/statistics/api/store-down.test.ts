import { expect } from "chai";
import type { Listener } from "../../../src/http/server.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { StoreLink } from "../../support/faults/store-link.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";

describe("decisions, Both interfaces: the statistics API while PostgreSQL is away", () => {
  let link: StoreLink;
  let replica: Listener;
  after(() => link?.cut());
  const statistics = useStatistics();
  before(async () => {
    await createLoadStatistics(statistics)(await smallSet(statistics.folder));
    link = await StoreLink.open(statistics.databaseUrl);
    replica = await statistics.addReplica({ statisticsDatabaseUrl: link.url });
  });
  afterEach(() => link.mend());

  function ask(path: string): Promise<Response> {
    return fetch(replica.address + path);
  }

  it("goes on with the answers that it has; for another one it is 503 with Retry-After", async () => {
    const before = await (await ask("/v1/countries")).text();
    const readable = await (await ask("/countries/DE/en")).text();
    await link.cut();
    const during = await ask("/v1/countries");
    expect([during.status, await during.text()]).to.deep.equal([200, before]);
    const missing = await ask("/v1/institutions");
    expect(Number(missing.headers.get("retry-after"))).to.be.at.least(1);
    await expectProblem(missing, 503, "store-unavailable");
    const page = await ask("/countries/DE/en");
    expect([page.status, await page.text()]).to.deep.equal([200, readable]);
    expect([(await ask("/health")).status, (await ask("/ready")).status]).to.deep.equal([200, 503]);
    await link.mend();
    expect((await ask("/v1/institutions")).status).to.equal(200);
    expect((await ask("/ready")).status).to.equal(200);
  });

  it("sees a load that it could not be told of, once PostgreSQL is back", async () => {
    const path = "/v1/country/LI";
    expect(await (await ask(path)).text()).to.include('"papers":0');
    await link.cut();
    await createLoadStatistics(statistics)(await smallSet(statistics.folder, 3));
    expect(await (await ask(path)).text(), "the old data, whole").not.to.include('"papers":3');
    await link.mend();
    while (!(await (await ask(path)).text()).includes('"papers":3'))
      await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
