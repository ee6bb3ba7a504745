import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import { CheckList, CheckMetadata } from "../../src/checks/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { DrivenCheck } from "./driven-check.ts";

describe("managing checks", () => {
  const engine = useEngine({ roles: ["engine"] });

  describe("specification 4.1: GET /v1/checks", () => {
    const ids: string[] = [];
    before(async () => {
      for (let number = 0; number < 23; number += 1) {
        ids.unshift(await engine.client.submit(`${number}: ${prose(number, 40)}`));
      }
    });

    async function list(query = ""): Promise<CheckListAnswer> {
      const response = await engine.client.request(`/v1/checks${query}`);
      expect(response.status).to.equal(200);
      const body = await response.json();
      expect(CheckList.strict().parse(body)).to.deep.equal(body);
      return CheckList.parse(body);
    }
    type CheckListAnswer = ReturnType<typeof CheckList.parse>;
    const idsOf = ({ items }: CheckListAnswer) => items.map((item) => item.check_id);

    it("lists checks page by page, newest first, 20 unless it is asked otherwise", async () => {
      const page = await list();
      expect(idsOf(page)).to.deep.equal(ids.slice(0, 20));
      expect(page).to.include({ total: 23, limit: 20, offset: 0 });
    });

    it("gives limit rows from offset on, and an empty page behind the last", async () => {
      expect(idsOf(await list("?limit=5&offset=3"))).to.deep.equal(ids.slice(3, 8));
      expect(idsOf(await list("?offset=20"))).to.deep.equal(ids.slice(20));
      expect(await list("?limit=1&offset=1000")).to.deep.include({
        items: [],
        total: 23,
        limit: 1,
        offset: 1000,
      });
      expect(idsOf(await list("?limit=100"))).to.deep.equal(ids);
    });

    it("specification 8: is 422 for a limit that is not from 1 to 100, and for an offset below 0", async () => {
      for (const limit of ["0", "101", "-1", "ten", "", "1.5", "1e2", "99999999999999999999"]) {
        await expectProblem(await engine.client.request(`/v1/checks?limit=${limit}`), 422, "invalid-input", [
          "limit",
        ]);
      }
      for (const offset of ["-1", "x", ""]) {
        await expectProblem(
          await engine.client.request(`/v1/checks?offset=${offset}`),
          422,
          "invalid-input",
          ["offset"],
        );
      }
    });

    it("decisions, Both interfaces: ignores query parameters that it does not know", async () => {
      expect((await list("?colour=red&limit=2")).items).to.have.lengthOf(2);
    });

    it("specification 2.1 and 8: a row is the metadata and the first 120 characters of the text", async () => {
      const queryText = `${"é😀 ".repeat(80)}end`;
      const checkId = await engine.client.submit(queryText, { title: "Row" });
      const row = (await list("?limit=1")).items[0];
      const preview = [...queryText].slice(0, 120).join("");
      expect(row).to.deep.equal({ ...(await engine.client.check(checkId)), query_text_preview: preview });
      const short = await engine.client.submit("Short.");
      expect((await list("?limit=1")).items[0]).to.include({ check_id: short, query_text_preview: "Short." });
    });
  });

  describe("specification 4.1: PATCH /v1/checks/{id}", () => {
    const rename = (checkId: string, body: unknown) =>
      engine.client.json("PATCH", `/v1/checks/${checkId}`, body);

    it("renames the check and answers 200 with its metadata; null takes the title away", async () => {
      const checkId = await engine.client.submit("A text.", { title: "First" });
      const created = await engine.client.check(checkId);
      for (const title of ["Second 😀", "x".repeat(200), null]) {
        const response = await rename(checkId, { title });
        expect(response.status).to.equal(200);
        const check = CheckMetadata.parse(await response.json());
        expect(check).to.deep.equal(await engine.client.check(checkId));
        expect(check).to.deep.equal({
          ...created,
          title,
          display_title: title ?? "A text.",
          updated_at: check.updated_at,
        });
        expect(check.updated_at >= created.updated_at).to.equal(true);
      }
    });

    it("is 422 without a title, and with one that is empty, too long or no string", async () => {
      const checkId = await engine.client.submit("A text.", { title: "Kept" });
      for (const body of [{}, { title: "" }, { title: "x".repeat(201) }, { title: 5 }, { Title: "T" }]) {
        await expectProblem(await rename(checkId, body), 422, "invalid-input", ["title"]);
      }
      expect((await engine.client.check(checkId)).title).to.equal("Kept");
    });

    it("ignores other members: only the title can be changed", async () => {
      const checkId = await engine.client.submit("A text.");
      await rename(checkId, { title: "T", status: "complete", language: "de" });
      expect(await engine.client.check(checkId)).to.include({
        title: "T",
        status: "pending",
        language: "en",
      });
    });
  });

  describe("specification 4.1: DELETE /v1/checks/{id}", () => {
    const remove = (checkId: string) => engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });

    it("is 204 without a body, and the check is gone from every endpoint", async () => {
      const checkId = await engine.client.submit("A text.");
      const before = CheckList.parse(await (await engine.client.request("/v1/checks?limit=1")).json()).total;
      const response = await remove(checkId);
      expect([response.status, await response.text()]).to.deep.equal([204, ""]);
      const path = `/v1/checks/${checkId}`;
      for (const url of [path, `${path}/report`, `${path}/progress`]) {
        await expectProblem(await engine.client.request(url), 404, "check-not-found");
      }
      await expectProblem(await engine.client.json("PATCH", path, { title: "T" }), 404, "check-not-found");
      await expectProblem(await remove(checkId), 404, "check-not-found");
      const { total } = CheckList.parse(await (await engine.client.request("/v1/checks?limit=1")).json());
      expect(total).to.equal(before - 1);
    });

    it("leaves nothing behind: no text, no report, no job", async () => {
      for (const text of ["A text.", prose(1, 12_000)]) {
        const checkId = await engine.client.submit(text);
        await remove(checkId);
        for (const table of ["checks", "reports", "report_sources", "idempotency_keys"]) {
          expect(
            await engine.database.query(`select 1 from ${table} where check_id = $1`, [checkId]),
            table,
          ).to.deep.equal([]);
        }
        const jobs = await engine.database.query(
          "select 1 from similarity_jobs.job where data ->> 'id' = $1",
          [checkId],
        );
        expect(jobs).to.deep.equal([]);
      }
    });

    it("decisions, Engine: checks: is 204 also for a running check, which then stops at its next step", async () => {
      const checkId = await engine.client.submit("A text.");
      const run = await DrivenCheck.start(engine.database, checkId);
      expect(await run.reach("retrieving", 1, 3)).to.equal(true);
      expect((await remove(checkId)).status).to.equal(204);
      expect(await run.reach("retrieving", 2, 3)).to.equal(false);
      expect(await run.complete(0)).to.equal(false);
    });
  });

  it("decisions, Both interfaces: an unknown or malformed identifier is 404 everywhere", async () => {
    for (const checkId of [
      uuidv7(),
      "1",
      "not-a-uuid",
      "%20",
      `${uuidv7()}0`,
      "018f3a526c1e7b609d2a5f0c4e8b7a11",
    ]) {
      const path = `/v1/checks/${checkId}`;
      for (const url of [path, `${path}/report`, `${path}/progress`]) {
        await expectProblem(await engine.client.request(url), 404, "check-not-found");
      }
      await expectProblem(await engine.client.request(path, { method: "DELETE" }), 404, "check-not-found");
      await expectProblem(await engine.client.json("PATCH", path, { title: "T" }), 404, "check-not-found");
    }
  });
});
