import { expect } from "chai";
import { fingerprintText } from "../../../src/text/fingerprint-text.ts";
import type { WireDocument } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  bareText,
  expectReportLaws,
  markedTexts,
  onlyPassage,
  onlySource,
  queryTextOf,
  sourceTextOf,
  type WirePassage,
} from "./report-laws.ts";

/** Where the chunks of an English text begin, by the product's own chunking. */
function chunkStarts(text: string): number[] {
  return fingerprintText(text, "en").map(({ start }) => start);
}

describe("reports: passages and sources", () => {
  const engine = useEngine();
  const book = prose(1, 6_000);
  let bookDocument: WireDocument;

  before(async () => {
    bookDocument = await engine.client.addDocument("book.txt", book);
  });

  describe("specification 2.2: the report's passages", () => {
    it("finds a passage copied from the middle of a long document, and says in which chunk it begins", async () => {
      const starts = chunkStarts(book);
      expect(bookDocument.chunk_count).to.equal(starts.length).and.to.be.greaterThan(20);
      const from = book.indexOf(". ", book.length / 2) + 2;
      const copied = book.slice(from, book.indexOf(".", from + 500) + 1);
      const report = await engine.client.checked(`${prose(21, 80)} ${copied} ${prose(22, 80)}`);
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([copied]);
      const passage = onlyPassage(report);
      expect(passage.source_document_start).to.equal(from);
      expect(passage.source_chunk_index).to.equal(starts.findLastIndex((start) => start <= from));
      expect(passage.source_start).to.equal(from - (starts[passage.source_chunk_index] ?? 0));
    });

    it("marks a copy that spans many chunks as one passage, its source offsets counted from the chunk it begins in", async () => {
      const starts = chunkStarts(book);
      const from = (starts[3] ?? 0) + 200;
      const copied = book.slice(from, book.indexOf(".", starts[19] ?? 0) + 1);
      const report = await engine.client.checked(`${prose(23, 40)} ${copied} ${prose(24, 40)}`);
      expectReportLaws(report);
      const passage = onlyPassage(report);
      expect(passage.source_chunk_index).to.equal(3);
      expect(passage.source_start).to.be.within(200, 220);
      expect(passage.source_end).to.be.greaterThan((starts[4] ?? 0) - (starts[3] ?? 0));
      expect(passage.source_end - passage.source_start).to.equal(passage.query_end - passage.query_start);
      expect(sourceTextOf(report, book, passage)).to.equal(queryTextOf(report, passage));
      expect(passage.source_document_end).to.equal(from + copied.length);
    });

    it("gives every source of a passage, and marks its text once in unique_passages", async () => {
      const [shared, onlyFirst] = [prose(31, 40), prose(32, 40)];
      const first = await engine.client.addDocument("first.txt", `${prose(33, 30)} ${shared} ${onlyFirst}`);
      const second = await engine.client.addDocument("second.txt", `${shared} ${prose(34, 30)}`);
      const report = await engine.client.checked(`${prose(35, 30)} ${shared} ${onlyFirst} ${prose(36, 30)}`);
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([`${shared} ${onlyFirst}`]);
      expect(report.sources.map(({ source_document_id }) => source_document_id)).to.deep.equal([
        first.document_id,
        second.document_id,
      ]);
      expect(report.sources.map(({ matched_chars }) => matched_chars)).to.deep.equal([
        shared.length + 1 + onlyFirst.length,
        shared.length,
      ]);
      expect(report.total_matched_chars).to.equal(shared.length + 1 + onlyFirst.length);
    });

    it("has an entry for each of 25 documents that share a paragraph", async () => {
      const shared = prose(37, 40);
      for (let seed = 500; seed < 525; seed += 1) {
        await engine.client.addDocument("shared.txt", `${prose(seed, 20)} ${shared} ${prose(seed + 50, 20)}`);
      }
      const report = await engine.client.checked(`${prose(38, 40)} ${shared}`);
      expectReportLaws(report);
      expect(report.sources).to.have.lengthOf(25);
      expect(markedTexts(report)).to.deep.equal([shared]);
    });

    it("rule 1: a source's passage may cover only a part of a merged unique passage", async () => {
      const text = prose(41, 90);
      const cut = text.indexOf(" ", text.length / 2);
      const left = await engine.client.addDocument("left.txt", `${text.slice(0, cut)} ${prose(42, 30)}`);
      const right = await engine.client.addDocument("right.txt", `${prose(43, 30)} ${text.slice(cut - 90)}`);
      const report = await engine.client.checked(`${prose(44, 30)} ${text} ${prose(45, 30)}`);
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([text]);
      const lengths = new Map(
        report.sources.map((source) => [source.source_document_id, source.matched_chars]),
      );
      expect(lengths.get(left.document_id)).to.be.lessThan(text.length).and.greaterThan(200);
      expect(lengths.get(right.document_id)).to.be.lessThan(text.length).and.greaterThan(200);
    });

    it("marks both places of a source passage that the text uses twice", async () => {
      const copied = prose(51, 40);
      await engine.client.addDocument("once.txt", `${prose(52, 30)} ${copied} ${prose(53, 30)}`);
      const report = await engine.client.checked(`${copied} ${prose(54, 40)} ${copied} ${prose(55, 30)}`);
      expectReportLaws(report);
      expect(markedTexts(report).map((text) => text.trim())).to.deep.equal([copied, copied]);
      const [one, two] = onlySource(report).passages;
      expect(one?.source_document_start).to.equal(two?.source_document_start);
      expect(one?.source_document_end).to.equal(two?.source_document_end);
    });

    it("counts text once that a source has twice", async () => {
      const copied = prose(56, 40);
      await engine.client.addDocument("twice.txt", `${copied} ${prose(57, 30)} ${copied}`);
      const report = await engine.client.checked(`${prose(58, 30)} ${copied} ${prose(59, 30)}`);
      expectReportLaws(report);
      expect(onlyPassage(report)).to.include({ match_type: "identical" });
      expect(report.total_matched_chars).to.equal(copied.length);
    });
  });

  describe("decisions, Engine: checks", () => {
    it("a document checked against itself is 100.00, one source, one passage", async () => {
      for (const text of [
        book,
        `\r\n  “${prose(61, 300)}” …\r\n\r\n`,
        `# ${prose(62, 9)}\n\n* * *\n\n${prose(63, 50)}\n`,
      ]) {
        const { document_id } = await engine.client.addDocument("self.txt", text);
        const report = await engine.client.checked(text);
        expectReportLaws(report);
        expect(report.overall_similarity_pct).to.equal(100);
        expect(report.unique_passages).to.deep.equal([[0, report.char_count]]);
        expect(onlySource(report)).to.deep.include({ source_document_id: document_id, similarity_pct: 100 });
        expect(onlyPassage(report)).to.deep.include({
          query_start: 0,
          query_end: text.length,
          match_type: "identical",
        });
      }
    });

    it("white space and punctuation between two adjacent passages of a source belong to them", async () => {
      const [one, two] = [prose(64, 30).slice(0, -1), prose(65, 30)];
      await engine.client.addDocument("pieces.txt", `${two} ${prose(66, 30)} ${one}!`);
      const report = await engine.client.checked(
        `${prose(67, 30)} ${one} …\r\n\r\n— ${two} ${prose(68, 30)}`,
      );
      expectReportLaws(report);
      expect(onlySource(report).passages).to.have.lengthOf(2);
      expect(markedTexts(report)).to.deep.equal([`${one} …\r\n\r\n— ${two}`]);
    });

    it("between passages of different sources they stay unmatched", async () => {
      const [one, two] = [prose(71, 30).slice(0, -1), prose(72, 30)];
      await engine.client.addDocument("one.txt", one);
      await engine.client.addDocument("two.txt", two);
      const report = await engine.client.checked(
        `${prose(73, 30)} ${one} …\r\n\r\n— ${two} ${prose(74, 30)}`,
      );
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([one, two]);
    });

    it("at the text's ends beside a passage they belong to it", async () => {
      const text = prose(75, 40);
      await engine.client.addDocument("ends.txt", `${prose(76, 30)} ${text} ${prose(77, 30)}`);
      const report = await engine.client.checked(`\r\n\t«…»  ${text}  »!\r\n`);
      expectReportLaws(report);
      expect(report.overall_similarity_pct).to.equal(100);
      expect(sourceTextOf(report, `${prose(76, 30)} ${text} ${prose(77, 30)}`, onlyPassage(report))).to.equal(
        text,
      );
    });

    it("a passage is identical when it is equal after case folding and leaving out all that is no letter or digit", async () => {
      const text = prose(81, 40);
      await engine.client.addDocument("case.txt", text);
      const changed = text
        .toUpperCase()
        .replaceAll(". ", " – ")
        .replace(/ (\S+) (\S+) /gu, " “$1”,\n$2 ");
      const report = await engine.client.checked(changed);
      expectReportLaws(report);
      const passage = onlyPassage(report);
      expect(passage.match_type).to.equal("identical");
      expect(bareText(queryTextOf(report, passage))).to.equal(bareText(sourceTextOf(report, text, passage)));
      expect(report.overall_similarity_pct).to.equal(100);
    });

    it("a passage with a word replaced, added or left out has minor_changes", async () => {
      const words = prose(82, 90).split(" ");
      await engine.client.addDocument("edited.txt", words.join(" "));
      const edited = words.with(20, "otherwise").toSpliced(45, 1).toSpliced(70, 0, "furthermore").join(" ");
      const report = await engine.client.checked(`${prose(83, 30)} ${edited} ${prose(84, 30)}`);
      expectReportLaws(report);
      expect(markedTexts(report)).to.deep.equal([edited]);
      const passages: readonly WirePassage[] = onlySource(report).passages;
      expect(passages.map(({ match_type }) => match_type)).to.deep.equal(["minor_changes"]);
    });

    it("sources are sorted by matched_chars, descending; passages by query_start", async () => {
      const parts = [15, 60, 30].map((words, index) => prose(91 + index, words));
      for (const [index, part] of parts.entries()) await engine.client.addDocument(`${index}.txt`, part);
      await engine.client.addDocument("reversed.txt", `${parts[2]} ${prose(95, 20)} ${parts[0]}`);
      const report = await engine.client.checked(
        parts.map((part, index) => `${part} ${prose(96 + index, 20)}`).join(" "),
      );
      expectReportLaws(report);
      expect(report.sources).to.have.lengthOf(4);
      expect(report.sources.map(({ source_filename }) => source_filename)).to.deep.equal([
        "1.txt",
        "reversed.txt",
        "2.txt",
        "0.txt",
      ]);
    });
  });
});
