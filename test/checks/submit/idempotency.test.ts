import { expect } from "chai";
import { Submitted } from "../../../src/checks/api/schema.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";

describe("decisions, Engine: checks: Idempotency-Key", () => {
  // Nothing runs here: what counts is which check a request gives.
  const engine = useEngine({ roles: ["engine"] });

  const submit = (key: string, body: unknown) =>
    engine.client.json("POST", "/v1/checks", body, { "Idempotency-Key": key });

  function upload(key: string, name: string, content: string, fields: Record<string, string> = {}) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("file", new Blob([content]), name);
    const headers = { "Idempotency-Key": key };
    return engine.client.request("/v1/checks/upload", { method: "POST", headers, body: form });
  }

  async function accepted(response: Response): Promise<string> {
    expect(response.status).to.equal(202);
    return Submitted.parse(await response.json()).check_id;
  }

  async function checkCount(): Promise<number> {
    const [row] = await engine.database.query<{ count: number }>("select count(*) as count from checks");
    return row?.count ?? -1;
  }

  const age = (key: string, interval: string) =>
    engine.database.query(
      "update idempotency_keys set created_at = now() - $2::interval where idempotency_key = $1 returning 1",
      [key, interval],
    );

  it("gives for the same key and body the first check's 202 again, and makes no second check", async () => {
    const first = await submit("same", { query_text: "A text.", title: "T" });
    const before = await checkCount();
    const again = await submit("same", { query_text: "A text.", title: "T" });
    expect(again.status).to.equal(first.status).and.to.equal(202);
    expect(await again.json()).to.deep.equal(await first.json());
    expect(await checkCount()).to.equal(before);
  });

  it("is 409 for the same key with another body", async () => {
    const first = { query_text: "A text.", title: "T" };
    await accepted(await submit("other", first));
    for (const change of [{ query_text: "A text. " }, { language: "de" }, { title: "t" }, { title: null }]) {
      await expectProblem(await submit("other", { ...first, ...change }), 409, "idempotency-key-reused");
    }
    await accepted(await submit("other", first));
  });

  it("compares the parsed body: spelling, order, unknown members, case of the language and defaults don't count", async () => {
    const checkId = await accepted(await submit("parsed", { query_text: "Ä", language: "en" }));
    for (const body of [
      { language: "EN", query_text: "Ä" },
      { query_text: "Ä", title: null },
      { query_text: "Ä", unknown: true },
      ' {\n "query_text" : "\\u00c4" } ',
    ]) {
      expect(await accepted(await submit("parsed", body))).to.equal(checkId);
    }
  });

  it("makes uploads safe too: the same file with the same parts is the same request", async () => {
    const checkId = await accepted(await upload("file", "a.txt", "A text."));
    expect(await accepted(await upload("file", "a.txt", "A text.", { language: "EN" }))).to.equal(checkId);
    for (const [name, content, fields] of [
      ["a.txt", "Another text.", {}],
      ["b.txt", "A text.", {}],
      ["a.txt", "A text.", { language: "de" }],
      ["a.txt", "A text.", { title: "Title" }],
    ] as const) {
      await expectProblem(await upload("file", name, content, fields), 409, "idempotency-key-reused");
    }
  });

  it("serves both submit routes with one set of keys", async () => {
    await accepted(await submit("both", { query_text: "A text.", title: "a.txt" }));
    await expectProblem(await upload("both", "a.txt", "A text."), 409, "idempotency-key-reused");
  });

  it("lives 24 hours", async () => {
    const checkId = await accepted(await submit("old", { query_text: "A text." }));
    expect(await age("old", "23 hours 59 minutes")).to.have.lengthOf(1);
    expect(await accepted(await submit("old", { query_text: "A text." }))).to.equal(checkId);
    await age("old", "24 hours 1 second");
    const next = await accepted(await submit("old", { query_text: "Another text." }));
    expect(next).not.to.equal(checkId);
    expect((await engine.client.check(checkId)).check_id).to.equal(checkId);
  });

  it("goes with the check when it is deleted", async () => {
    const checkId = await accepted(await submit("gone", { query_text: "A text." }));
    await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    const next = await accepted(await submit("gone", { query_text: "Another text." }));
    expect(next).not.to.equal(checkId);
  });

  it("has 1 to 255 characters", async () => {
    await accepted(await submit("k".repeat(255), { query_text: "A text." }));
    for (const key of ["", "k".repeat(256)]) {
      await expectProblem(await submit(key, { query_text: "A text." }), 422, "invalid-input", [
        "Idempotency-Key",
      ]);
    }
  });

  it("is not used up by a request that is refused", async () => {
    await expectProblem(await submit("refused", { query_text: "" }), 422, "invalid-input", ["query_text"]);
    await accepted(await submit("refused", { query_text: "A text." }));
  });

  it("is optional: without one, the same body gives a check each time", async () => {
    const ids = [await engine.client.submit("A text."), await engine.client.submit("A text.")];
    expect(new Set(ids)).to.have.property("size", 2);
  });

  it("gives one check when the same request comes many times at once", async () => {
    const before = await checkCount();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => submit("at once", { query_text: "A text." })),
    );
    const ids = await Promise.all(responses.map(accepted));
    expect(new Set(ids)).to.have.property("size", 1);
    expect(await checkCount()).to.equal(before + 1);
  });
});
