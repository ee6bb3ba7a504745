import { expect } from "chai";
import { pino } from "pino";
import { ComparisonAnswer, ComparisonLinkAnswer } from "../../../src/checks/comparisons/api/schema.ts";
import { createDeleteOldComparisons } from "../../../src/checks/comparisons/comparison-links.ts";
import { makeDocx, paragraph } from "../../extract/made-documents.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const UNKNOWN = "6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55";
const DAY_MS = 86_400_000;
const LINK_DAYS = 7;

const copied = prose(841, 60);
const texts = {
  query_text: `😀 ${prose(842, 40)}\r\n${copied}`,
  source_text: `${copied}\n${prose(843, 40)}`,
  language: "en",
};

describe("links to comparisons, where the operator has not allowed them", () => {
  const engine = useEngine();

  it("are refused with what to do, nothing is stored, and comparisons do not offer them", async () => {
    const refused = await engine.client.json("POST", "/v1/comparisons/links", texts);
    const { detail } = await expectProblem(refused, 403, "comparison-links-off");
    expect(detail).to.include("COMPARISON_LINK_DAYS");
    expect(await engine.database.query("select 1 from comparison_links")).to.deep.equal([]);
    const answer = await engine.client.request(`/v1/comparisons/${UNKNOWN}`);
    await expectProblem(answer, 403, "comparison-links-off");
    const compared = await engine.client.json("POST", "/v1/comparisons", texts);
    expect(ComparisonAnswer.parse(await compared.json())).not.to.have.property("link_days");
    expect(await engine.database.query("select 1 from comparison_links")).to.deep.equal([]);
  });
});

describe("links to comparisons", () => {
  const engine = useEngine({ comparisonLinkDays: LINK_DAYS });

  async function made(body: object = texts) {
    const response = await engine.client.json("POST", "/v1/comparisons/links", body);
    expect(response.status).to.equal(201);
    return ComparisonLinkAnswer.parse(await response.json());
  }

  const read = (path: string) => engine.client.request(path);

  /** Makes a link as old as this. */
  const setAge = (comparisonId: string, days: number) =>
    engine.database.query(
      "update comparison_links set created_at = now() - make_interval(secs => $2 * 86400.0) where comparison_id = $1",
      [comparisonId, days],
    );

  it("lead to what the comparison answered, in both units, until the time that they name", async () => {
    const before = Date.now();
    const { comparison_url: url, page_url: page, comparison_id: id, expires_at: expires } = await made();
    expect(url).to.equal(`/v1/comparisons/${id}`);
    expect(page).to.equal(`/compare/${id}`);
    expect(Date.parse(expires) - before).to.be.within((LINK_DAYS - 0.1) * DAY_MS, (LINK_DAYS + 0.1) * DAY_MS);
    for (const search of ["", "?offset_unit=utf16&length_unit=code_point"]) {
      const compared = await engine.client.json("POST", `/v1/comparisons${search}`, texts);
      const expected = ComparisonAnswer.parse(await compared.json());
      const kept = ComparisonAnswer.parse(await (await read(url + search)).json());
      expect(expected.link_days).to.equal(LINK_DAYS);
      expect(expected.passages).to.have.length(1);
      expect({ ...kept, duration_seconds: 0 }).to.deep.equal({
        ...expected,
        expires_at: expires,
        duration_seconds: 0,
      });
    }
  });

  it("keep files with their names, and print them", async () => {
    const form = new FormData();
    const docx = makeDocx({ body: paragraph(texts.query_text.replaceAll("\r\n", " ")) });
    form.append("query_file", new File([Uint8Array.from(docx)], "essay.docx"));
    form.append("source_text", texts.source_text);
    const response = await engine.client.request("/v1/comparisons/links", { method: "POST", body: form });
    expect(response.status).to.equal(201);
    const { comparison_url: url } = ComparisonLinkAnswer.parse(await response.json());
    const kept = ComparisonAnswer.parse(await (await read(url)).json());
    expect([kept.query.filename, kept.source.filename]).to.deep.equal(["essay.docx", null]);
    const pdf = await read(`${url}/comparison.pdf`);
    expect(pdf.status).to.equal(200);
    expect(Buffer.from(await pdf.arrayBuffer()).toString("latin1", 0, 5)).to.equal("%PDF-");
  });

  it("that are expired, deleted, unknown or malformed are 404, for the PDF too, and say so", async () => {
    const { comparison_id: id, comparison_url: url } = await made();
    await setAge(id, LINK_DAYS - 0.01);
    expect((await read(url)).status).to.equal(200);
    await setAge(id, LINK_DAYS + 0.01);
    const { detail } = await expectProblem(await read(url), 404, "comparison-not-found");
    expect(detail).to.include("expired");
    await expectProblem(await read(`${url}/comparison.pdf`), 404, "comparison-not-found");
    const other = await made();
    expect((await engine.client.request(other.comparison_url, { method: "DELETE" })).status).to.equal(204);
    for (const path of [other.comparison_url, `/v1/comparisons/${UNKNOWN}`, "/v1/comparisons/none"]) {
      await expectProblem(await read(path), 404, "comparison-not-found");
      const again = await engine.client.request(path, { method: "DELETE" });
      await expectProblem(again, 404, "comparison-not-found");
    }
  });

  it("are deleted with both texts by the housekeeping, by their age, and all once links are off", async () => {
    const log = pino({ level: "silent" });
    const deleteOld = (linkDays: number | undefined) =>
      createDeleteOldComparisons({ database: engine.database, linkDays, log })(new AbortController().signal);
    await deleteOld(undefined);
    const [old, young] = [await made(), await made()];
    await setAge(old.comparison_id, LINK_DAYS + 0.01);
    await setAge(young.comparison_id, LINK_DAYS - 0.01);
    expect(await deleteOld(LINK_DAYS)).to.equal(1);
    expect((await read(young.comparison_url)).status).to.equal(200);
    expect(await deleteOld(undefined)).to.equal(1);
    expect(await engine.database.query("select 1 from comparison_links")).to.deep.equal([]);
  });

  it("are not stored for a comparison that fails", async () => {
    const form = new FormData();
    form.append("query_file", new File(["%PDF-1.7 broken"], "broken.pdf"));
    form.append("source_text", "x");
    const rows = () => engine.database.query("select 1 from comparison_links");
    const before = await rows();
    const response = await engine.client.request("/v1/comparisons/links", { method: "POST", body: form });
    await expectProblem(response, 422, "unreadable-file");
    expect(await rows()).to.have.length(before.length);
  });
});
