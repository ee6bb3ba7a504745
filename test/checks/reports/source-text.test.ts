import { expect } from "chai";
import type { z } from "zod";
import type { SourceDocument } from "../../../src/corpus/documents/document.ts";
import { SourceText } from "../../../src/report/api/schema.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { lengthIn, onlyPassage, onlySource, textAt } from "./report-laws.ts";

const UNITS = ["code_point", "utf16"] as const;

/** Characters of one and two UTF-16 units, of one and several code points, of both reading directions. */
const MIXED = "😀 e\u0301 «ذَهَبَ الوَلَدُ» 𠮷野家 👩‍👩‍👧‍👦 \r\n";

describe("GET /v1/checks/{check_id}/sources/{source_document_id}/text", () => {
  const engine = useEngine();
  const pathOf = (checkId: string, documentId: string, query = "") =>
    `/v1/checks/${checkId}/sources/${documentId}/text${query}`;

  async function sourceText(
    checkId: string,
    documentId: string,
    query = "",
  ): Promise<z.output<typeof SourceText>> {
    const response = await engine.client.request(pathOf(checkId, documentId, query));
    expect(response.status, query).to.equal(200);
    return SourceText.parse(await response.json());
  }

  for (const unit of UNITS) {
    it(`gives a passage and what stands around it, from its offsets: ${unit}`, async () => {
      const copied = prose(1, 30);
      const text = `${MIXED.repeat(40)}${prose(2, 400)} ${MIXED}${copied} ${MIXED}${prose(3, 40)}`;
      const document = await engine.client.addDocument(`${unit}.txt`, `${text} ${unit}`, {
        title: "<b>Mixed</b>",
        language: "de",
        source_url: "https://example.org/mixed",
      });
      const { check_id } = await engine.client.checked(`${prose(4, 30)} ${copied} ${prose(5, 30)}`);
      const report = await engine.client.report(check_id, `?offset_unit=${unit}`);
      const source = report.sources.find((one) => one.source_document_id === document.document_id);
      const passage = source?.passages[0];
      if (passage === undefined) throw new Error("no passage");
      const { source_document_start: start, source_document_end: end } = passage;
      const margin = lengthIn(unit, ` ${MIXED}`);
      const query = `?offset_unit=${unit}&start=${start - margin}&end=${end + margin}`;
      const answer = await sourceText(check_id, document.document_id, query);
      expect(answer).to.deep.equal({
        source_document_id: document.document_id,
        title: "<b>Mixed</b>",
        source_url: "https://example.org/mixed",
        language: "de",
        offset_unit: unit,
        char_count: lengthIn(unit, `${text} ${unit}`),
        start: start - margin,
        end: end + margin,
        text: textAt(unit, text, start - margin, end + margin),
      });
      expect(textAt(unit, answer.text, margin, margin + end - start)).to.equal(copied);
    });
  }

  it("begins at the beginning and ends at the text's end when nothing else is asked for, or more than there is", async () => {
    const text = `${MIXED}${prose(11, 30)}`;
    const { document_id } = await engine.client.addDocument("whole.txt", text);
    const { check_id } = await engine.client.checked(text);
    const length = [...text].length;
    const whole = { start: 0, end: length, text };
    expect(await sourceText(check_id, document_id)).to.deep.include(whole);
    expect(await sourceText(check_id, document_id, `?end=${length + 1}`)).to.deep.include(whole);
    const last = { start: length - 1, end: length, text: "." };
    expect(await sourceText(check_id, document_id, `?start=${length - 1}`)).to.deep.include(last);
    for (const query of [`?start=${length}`, "?start=9007199254740991", "?start=900&end=900"]) {
      const nothing = { start: length, end: length, text: "", char_count: length };
      expect(await sourceText(check_id, document_id, query)).to.deep.include(nothing);
    }
  });

  it("gives a long text in parts that follow on each other, over the borders of stored sections", async () => {
    const copied = prose(21, 40);
    const text = `${copied} ${Array.from({ length: 6_000 }, (_, at) => `${MIXED}${at}`).join(" ")}`;
    const { document_id } = await engine.client.addDocument("long.txt", text);
    const { check_id } = await engine.client.checked(copied);
    for (const unit of UNITS) {
      const parts: string[] = [];
      const length = lengthIn(unit, text);
      for (let start = 0; start < length; ) {
        const part = await sourceText(check_id, document_id, `?offset_unit=${unit}&start=${start}`);
        expect(part).to.include({ start, char_count: length });
        expect(part.end - part.start).to.equal(Math.min(100_000, length - start));
        expect(part.text.isWellFormed()).to.equal(true);
        parts.push(part.text);
        start = part.end;
      }
      expect(parts.length).to.be.above(2);
      expect(parts.join("") === text).to.equal(true);
    }
  });

  it("a UTF-16 offset inside a surrogate pair counts as the pair's start", async () => {
    const text = `😀😀 ${prose(31, 30)}`;
    const { document_id } = await engine.client.addDocument("pair.txt", text);
    const { check_id } = await engine.client.checked(text);
    const answer = await sourceText(check_id, document_id, "?offset_unit=utf16&start=1&end=3");
    expect(answer).to.include({ start: 0, end: 2, text: "😀" });
  });

  it("gives documents of the platform corpus too", async () => {
    const text = prose(41, 50);
    const documentId = await addPlatformDocument(text);
    const report = await engine.client.checked(text);
    expect(onlySource(report).source_document_id).to.equal(documentId);
    const { source_document_start, source_document_end } = onlyPassage(report);
    const query = `?start=${source_document_start}&end=${source_document_end}`;
    expect(await sourceText(report.check_id, documentId, query)).to.include({
      text,
      char_count: text.length,
    });
  });

  it("gives the text of a document whose chunks are being made anew", async () => {
    const text = `${MIXED.repeat(30)}${prose(51, 50)}`;
    const { document_id } = await engine.client.addDocument("anew.txt", text);
    const { check_id } = await engine.client.checked(text);
    await engine.database.query("delete from document_chunks where document_id = $1", [document_id]);
    for (const unit of UNITS) {
      const answer = await sourceText(check_id, document_id, `?offset_unit=${unit}&start=500&end=520`);
      expect(answer).to.include({ text: textAt(unit, text, 500, 520), char_count: lengthIn(unit, text) });
    }
  });

  it("404: only the sources of that report are given, and none that is deleted", async () => {
    const [one, two] = [prose(61, 40), prose(62, 40)];
    const mine = await engine.client.addDocument("mine.txt", one);
    const other = await engine.client.addDocument("other.txt", two);
    const { check_id } = await engine.client.checked(one);
    const NOBODY = "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd";
    for (const id of [other.document_id, NOBODY, "nonsense"]) {
      await expectProblem(await engine.client.request(pathOf(check_id, id)), 404, "source-not-found");
    }
    for (const id of [NOBODY, "nonsense"]) {
      const path = pathOf(id, mine.document_id);
      await expectProblem(await engine.client.request(path), 404, "check-not-found");
    }
    await engine.client.request(`/v1/corpus/documents/${mine.document_id}`, { method: "DELETE" });
    const path = pathOf(check_id, mine.document_id);
    await expectProblem(await engine.client.request(path), 404, "source-not-found");
  });

  it("409 until the check is complete", async () => {
    const { document_id } = await engine.client.addDocument("early.txt", prose(71, 40));
    const checkId = await engine.client.submit(prose(71, 40));
    await engine.client.ended(checkId);
    await engine.database.query(
      `update checks set status = 'failed', error_message = 'Submit it again.', total_matched_chars = null,
              coverage = null where check_id = $1`,
      [checkId],
    );
    const response = await engine.client.request(pathOf(checkId, document_id));
    await expectProblem(response, 409, "check-not-complete");
  });

  it("422 names what is wrong", async () => {
    const { document_id } = await engine.client.addDocument("wrong.txt", prose(81, 40));
    const { check_id } = await engine.client.checked(prose(81, 40));
    const faults = {
      "start=-1": "start",
      "start=1.5": "start",
      "start=": "start",
      "end=x": "end",
      "start=10&end=9": "end",
      "offset_unit=bytes": "offset_unit",
    };
    for (const [query, field] of Object.entries(faults)) {
      const response = await engine.client.request(pathOf(check_id, document_id, `?${query}`));
      await expectProblem(response, 422, "invalid-input", [field]);
    }
  });

  async function addPlatformDocument(text: string): Promise<string> {
    const document: SourceDocument = {
      origin: { scope: "platform", collection: "library", path: "one.txt" },
      filename: "one.txt",
      title: "One",
      mediaType: "text/plain",
      language: "en",
      sourceUrl: null,
      sizeBytes: text.length,
      sha256: "00".repeat(32),
      text,
    };
    const [ingested] = await engine.service.ingestDocuments([document]);
    const documentId = ingested?.document.documentId ?? "";
    await engine.service.fingerprintDocuments([documentId]);
    return documentId;
  }
});
