import { expect } from "chai";
import { CheckList } from "../../src/checks/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("GET /v1/checks: selected by title and status", () => {
  const engine = useEngine({ roles: ["engine"] });
  const titles = ["100% wool", "100 sheep", "Über Wolle", "WOOL_gathering", "wool gathering", undefined];

  before(async () => {
    for (const [at, title] of titles.entries())
      await engine.client.submit(prose(at, 20), title === undefined ? {} : { title });
  });

  async function list(parameters: Record<string, string>) {
    const response = await engine.client.request(`/v1/checks?${new URLSearchParams(parameters)}`);
    const { items, total, limit, offset } = CheckList.parse(await response.json());
    return { titles: items.map(({ title }) => title), total, limit, offset };
  }

  it("lists the checks whose title holds the text, newest first, in upper or lower case", async () => {
    expect(await list({ title: "wool" })).to.deep.equal({
      titles: ["wool gathering", "WOOL_gathering", "100% wool"],
      total: 3,
      limit: 20,
      offset: 0,
    });
    expect((await list({ title: "über" })).titles).to.deep.equal(["Über Wolle"]);
  });

  it("takes % and _ as themselves", async () => {
    expect((await list({ title: "100%" })).titles).to.deep.equal(["100% wool"]);
    expect((await list({ title: "l_g" })).titles).to.deep.equal(["WOOL_gathering"]);
  });

  it("pages through what is found, and total counts it", async () => {
    const page = { title: "wool", limit: "1" };
    const found = [];
    for (const offset of ["0", "1", "2"]) {
      const { titles, total } = await list({ ...page, offset });
      expect(total).to.equal(3);
      found.push(...titles);
    }
    expect(found).to.deep.equal(["wool gathering", "WOOL_gathering", "100% wool"]);
    expect(await list({ ...page, offset: "3" })).to.deep.include({ titles: [], total: 3 });
    expect(await list({ title: "linen" })).to.deep.include({ titles: [], total: 0 });
  });

  it("lists all where the text is left blank, checks without a title too", async () => {
    expect((await list({ title: "" })).total).to.equal(titles.length);
  });

  it("lists those in one state, with a title and without", async () => {
    await engine.database.query(
      "update checks set status = 'failed', error_message = 'Submit it again.' where title = $1",
      ["100% wool"],
    );
    expect((await list({ status: "failed" })).titles).to.deep.equal(["100% wool"]);
    expect(await list({ status: "pending" })).to.deep.include({ total: titles.length - 1 });
    expect(await list({ status: "pending", title: "100" })).to.deep.include({
      titles: ["100 sheep"],
      total: 1,
    });
    expect((await list({ status: "complete" })).total).to.equal(0);
  });

  it("422 for a state that is none, a text that is too long and one that no title can hold", async () => {
    const faults = { "status=done": "status", [`title=${"x".repeat(256)}`]: "title", "title=%00": "title" };
    for (const [query, field] of Object.entries(faults)) {
      const response = await engine.client.request(`/v1/checks?${query}`);
      await expectProblem(response, 422, "invalid-input", [field]);
    }
  });
});
