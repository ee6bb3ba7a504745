import { expect } from "chai";
import { parse } from "csv-parse/sync";
import type { WireReport } from "../../support/client.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { onlyPassage } from "./report-laws.ts";

describe("reports: notes on passages", () => {
  const engine = useEngine();
  const copied = prose(2, 60).slice(0, -1);
  const [quoted, plain] = [copied.split(" ").slice(0, 30).join(" "), copied.split(" ").slice(30).join(" ")];
  const text = `😀 ${prose(1, 40)}\n\n»${quoted}« ${plain}. ${prose(3, 40)}`;
  let documentId: string;
  let report: WireReport;
  let reference: string;

  before(async () => {
    const source = await engine.client.addDocument(
      "source.txt",
      `${prose(4, 30)} ${copied}. ${prose(5, 30)}`,
    );
    documentId = source.document_id;
  });

  beforeEach(async () => {
    report = await engine.client.checked(text);
    const { query_start, query_end } = onlyPassage(report);
    reference = `${query_start}-${query_end}-${documentId}`;
  });

  const write = (passage: string, body: unknown) =>
    engine.client.json("PUT", `/v1/checks/${report.check_id}/notes/${passage}`, body);

  it("a note is part of the report, replaces the one before, and is removed by an empty text or DELETE", async () => {
    expect(onlyPassage(report).note).to.equal(null);
    expect(report.notes).to.deep.equal([]);
    for (const note of ["First line.\nقال: <b>so</b> #box[x]", "Another."]) {
      const answer = await write(reference, { text: note });
      expect(answer.status).to.equal(200);
      expect(await answer.json()).to.deep.equal({ passage: reference, note });
      const read = await engine.client.report(report.check_id);
      expect(onlyPassage(read).note).to.equal(note);
      expect(read.notes.map(({ passage, note: text }) => ({ passage, text }))).to.deep.equal([
        { passage: reference, text: note },
      ]);
    }
    expect(await (await write(reference, { text: "" })).json()).to.deep.equal({
      passage: reference,
      note: null,
    });
    expect((await engine.client.report(report.check_id)).notes).to.deep.equal([]);
    await write(reference, { text: "Once more." });
    for (const _ of ["first", "again"]) {
      const path = `/v1/checks/${report.check_id}/notes/${reference.toUpperCase()}`;
      expect((await engine.client.request(path, { method: "DELETE" })).status).to.equal(204);
    }
    expect(onlyPassage(await engine.client.report(report.check_id)).note).to.equal(null);
  });

  it("a part of a passage, as filters leave it, has the note of the whole and may be used to write it", async () => {
    const cut = await engine.client.report(report.check_id, "?exclude_quotes=true");
    const { query_start, query_end } = onlyPassage(cut);
    expect(query_start).to.be.greaterThan(onlyPassage(report).query_start);
    const answer = await write(`${query_start}-${query_end}-${documentId}`, { text: "The plain half." });
    expect(await answer.json()).to.deep.equal({ passage: reference, note: "The plain half." });
    for (const query of ["", "?exclude_quotes=true", "?offset_unit=utf16"])
      expect(onlyPassage(await engine.client.report(report.check_id, query)).note).to.equal(
        "The plain half.",
      );
  });

  it("the note of an excluded passage stays in the list of all notes, in the report's unit", async () => {
    await write(reference, { text: "Agreed with the supervisor." });
    const excluded = await engine.client.report(
      report.check_id,
      `?exclude_passages=${reference}&offset_unit=utf16`,
    );
    expect(excluded.sources).to.deep.equal([]);
    const [note, ...others] = excluded.notes;
    expect(others).to.deep.equal([]);
    expect(note).to.include({ passage: reference, note: "Agreed with the supervisor." });
    expect(text.slice(note?.query_start, note?.query_end)).to.include(plain);
  });

  it("the table of passages has the notes, without formulas", async () => {
    await write(reference, { text: "=HYPERLINK(1)" });
    const answer = await engine.client.request(`/v1/checks/${report.check_id}/passages.csv`);
    const rows: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true });
    expect(rows.map(({ note }) => note)).to.deep.equal(rows.map(() => "'=HYPERLINK(1)"));
    expect(rows).to.not.have.lengthOf(0);
  });

  it("refuses unknown passages, long texts and unknown checks", async () => {
    for (const passage of ["nonsense", `0-1-${documentId}`, `0-99999-${report.check_id}`])
      await expectProblem(await write(passage, { text: "x" }), 404, "passage-not-found");
    await expectProblem(await write(reference, { text: "x".repeat(2_001) }), 422, "invalid-input", ["text"]);
    await expectProblem(await write(reference, {}), 422, "invalid-input", ["text"]);
    expect((await write(reference, { text: "😀".repeat(2_000) })).status).to.equal(200);
    const other = `/v1/checks/${documentId}/notes/${reference}`;
    await expectProblem(await engine.client.json("PUT", other, { text: "x" }), 404, "check-not-found");
  });

  it("a note outlives its source and is deleted with its check", async () => {
    const more = await engine.client.addDocument("more.txt", `${prose(14, 30)} ${prose(12, 50)}`);
    const second = await engine.client.checked(`${prose(11, 30)} ${prose(12, 50)}`);
    const { query_start, query_end } = onlyPassage(second);
    const path = `/v1/checks/${second.check_id}/notes/${query_start}-${query_end}-${more.document_id}`;
    await engine.client.json("PUT", path, { text: "Seen." });
    await engine.client.request(`/v1/corpus/documents/${more.document_id}`, { method: "DELETE" });
    const left = await engine.client.report(second.check_id);
    expect(left.notes.map(({ note }) => note)).to.deep.equal(["Seen."]);
    expect(left.sources).to.deep.equal([]);
    await engine.client.request(`/v1/checks/${second.check_id}`, { method: "DELETE" });
    const rows = await engine.database.query("select note from passage_notes where check_id = $1", [
      second.check_id,
    ]);
    expect(rows).to.deep.equal([]);
  });
});
