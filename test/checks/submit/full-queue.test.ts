import { expect } from "chai";
import { CheckList } from "../../../src/checks/api/schema.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const WAITING_MAX = 5;

/** Requests that are under way together may each find room: as many as the pool has connections. */
const OVER_MAX = 20;

describe("a queue of checks that is full", () => {
  // Without a worker nothing leaves the queue.
  const engine = useEngine({ checksWaitingMax: WAITING_MAX, roles: ["engine"] });
  const submit = (query_text: string, headers: Record<string, string> = {}) =>
    engine.client.json("POST", "/v1/checks", { query_text }, headers);
  const listed = async () => CheckList.parse(await (await engine.client.request("/v1/checks")).json());

  it("refuses with 503 and Retry-After, keeps what it has accepted, and nothing of what it refused", async () => {
    const key = { "Idempotency-Key": "the first" };
    const first = await (await submit("The first text.", key)).json();
    expect((await submit(prose(101, 12_000))).status, "a long check").to.equal(202);
    for (let accepted = 2; accepted < WAITING_MAX; accepted += 1) {
      expect((await submit(`Text ${accepted}.`)).status).to.equal(202);
    }
    const refused = await submit("One text too many.", { "Idempotency-Key": "refused" });
    expect(Number(refused.headers.get("retry-after"))).to.be.at.least(1);
    await expectProblem(refused, 503, "service-busy");
    const file = { name: "a.txt", content: "One file too many." };
    await expectProblem(await engine.client.upload("/v1/checks/upload", file), 503, "service-busy");

    const again = await submit("The first text.", key);
    expect([again.status, await again.json()]).to.deep.equal([202, first]);
    const rows = await engine.database.query(
      `select (select count(*) from checks) as checks, (select count(*) from idempotency_keys) as keys,
              (select count(*) from similarity_jobs.job where name in ('run-check', 'run-long-check')) as jobs`,
    );
    expect(rows).to.deep.equal([{ checks: WAITING_MAX, keys: 1, jobs: WAITING_MAX }]);
  });

  it("takes another check when one has left, and a refused one with the key that it came with", async () => {
    const [newest] = (await listed()).items;
    await engine.client.request(`/v1/checks/${newest?.check_id}`, { method: "DELETE" });
    expect((await submit("One text too many.", { "Idempotency-Key": "refused" })).status).to.equal(202);
  });

  it("is not passed by a crowd that comes at the same moment, but for the requests that are under way together", async () => {
    await engine.database.query("delete from checks");
    await engine.database.query(
      "delete from similarity_jobs.job where name in ('run-check', 'run-long-check')",
    );
    const answers = await Promise.all(Array.from({ length: 100 }, (_, seed) => submit(prose(seed, 50))));
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(accepted).to.be.within(WAITING_MAX, WAITING_MAX + OVER_MAX);
    expect(answers.filter(({ status }) => status === 503).length).to.equal(answers.length - accepted);
    expect((await listed()).total).to.equal(accepted);
  });
});
