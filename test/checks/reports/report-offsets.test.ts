import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { DocumentWithText } from "../../../src/corpus/api/schema.ts";
import type { WireReport } from "../../support/client.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  expectReportLaws,
  lengthIn,
  markedTexts,
  onlyPassage,
  onlySource,
  queryTextOf,
  sourceTextOf,
  textAt,
} from "./report-laws.ts";

const CheckRows = z.looseObject({
  items: z.array(z.looseObject({ check_id: z.string(), query_text_preview: z.string() })),
});

/** Texts whose characters take one, two, or several UTF-16 units and code points; each starts and ends with a letter. */
const SCRIPTS: Readonly<Record<string, string>> = {
  emoji:
    "Wir 👩‍👩‍👧‍👦 fahren 🚀 morgen früh 🌅 mit dem 🇩🇪 Zug 🚂 nach Rom 🏛️ und essen dort 🍕 bis spät in die Nacht",
  Arabic: "ذَهَبَ الوَلَدُ إلى المَدرَسَةِ في الصَّباحِ الباكِرِ ثُمَّ عادَ إلى البَيتِ بَعدَ الظُّهرِ مَعَ أصدِقائِهِ الكِثار",
  "combining marks":
    "Le\u0301te\u0301 dernier nous avons mange\u0301 des gâteaux a\u0300 la cre\u0300me pre\u0300s de la riviere\u0323 ou\u0300 chantaient les oiseaux",
  "rare Han characters":
    "𠀀𠀁𠀂是古字,我们今天在图书馆里读了一本关于𠮷野家历史的书,觉得非常有意思,明天还要再去读一遍𡃁仔",
  Gothic: "𐌰𐍄𐍄𐌰 𐌿𐌽𐍃𐌰𐍂 𐌸𐌿 𐌹𐌽 𐌷𐌹𐌼𐌹𐌽𐌰𐌼 𐍅𐌴𐌹𐌷𐌽𐌰𐌹 𐌽𐌰𐌼𐍉 𐌸𐌴𐌹𐌽 𐌵𐌹𐌼𐌰𐌹 𐌸𐌹𐌿𐌳𐌹𐌽𐌰𐍃𐍃𐌿𐍃 𐌸𐌴𐌹𐌽𐍃 𐍅𐌰𐌹𐍂𐌸𐌰𐌹 𐍅𐌹𐌻𐌾𐌰",
  "CRLF and blank lines":
    "The first line ends here\r\nand the second goes\ton;\r\n\r\nafter a blank line comes\u2028a third one\r\n\r\n\twith a tab before it and more words",
};

describe("decisions: Characters and offsets", () => {
  const engine = useEngine();

  for (const [index, [name, copied]] of Object.entries(SCRIPTS).entries()) {
    it(`a report's text at its own offsets is the copied text, on both sides and in both units: ${name}`, async () => {
      const source = `😀 ${prose(100 + index, 30)} 🎻\r\n${copied}\r\n${prose(200 + index, 30)}`;
      const query = `𝒳 e\u0301 ${prose(300 + index, 30)} 🌍\r\n${copied}\r\n🏁 ${prose(400 + index, 30)}`;
      await engine.client.addDocument(`${name}.txt`, source);
      const inCodePoints = await engine.client.checked(query);
      const inUtf16 = await engine.client.report(inCodePoints.check_id, "?offset_unit=utf16");
      for (const report of [inCodePoints, inUtf16]) {
        expectReportLaws(report);
        expect(markedTexts(report)).to.deep.equal([copied]);
        const passage = onlyPassage(report);
        const { extracted_text: extracted } = await documentWithText(onlySource(report).source_document_id);
        expect(queryTextOf(report, passage)).to.equal(copied);
        expect(sourceTextOf(report, extracted, passage)).to.equal(copied);
        expect(passage.match_type).to.equal("identical");
        expect(report.total_matched_chars).to.equal(lengthIn(report.offset_unit, copied));
        expect(onlySource(report).matched_chars).to.equal(lengthIn(report.offset_unit, copied));
        expect(passage.source_end - passage.source_start).to.equal(lengthIn(report.offset_unit, copied));
      }
      expect(inCodePoints.offset_unit).to.equal("code_point");
      expect(inUtf16.offset_unit).to.equal("utf16");
      expectSamePercentages(inCodePoints, inUtf16);
    });
  }

  it("the law holds for any mixture of scripts around a copied sentence", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "😀",
        "👩‍🚀",
        "𠀀。",
        "\r\n",
        " e\u0301 ",
        "«»",
        "…",
        "\u0639\u0644\u064A\u0647",
        "𝔸",
        "ü",
        "\t",
        " - ",
      ),
      fc.integer({ min: 1_000, max: 9_999 }).map((seed) => ` ${prose(seed, 8)} `),
    );
    const surroundings = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));
    let seed = 20_000;
    const samples = fc.sample(fc.tuple(surroundings, surroundings, surroundings, surroundings), {
      seed: 7,
      numRuns: 12,
    });
    for (const [before, after, sourceBefore, sourceAfter] of samples) {
      const copied = prose(seed++, 20).slice(0, -1);
      const document = await engine.client.addDocument("law.txt", `${sourceBefore} ${copied} ${sourceAfter}`);
      const { check_id } = await engine.client.checked(`${before} ${copied} ${after}`);
      const { extracted_text: extracted } = await documentWithText(document.document_id);
      for (const unit of ["code_point", "utf16"] as const) {
        const report = await engine.client.report(check_id, `?offset_unit=${unit}`);
        expectReportLaws(report);
        const passages = report.sources.flatMap((source) =>
          source.source_document_id === document.document_id ? source.passages : [],
        );
        const holdsCopy = passages.some(
          (passage) =>
            queryTextOf(report, passage).includes(copied) &&
            sourceTextOf(report, extracted, passage).includes(copied),
        );
        expect(holdsCopy, JSON.stringify({ before, after, passages })).to.equal(true);
      }
    }
  });

  it("converts the offsets of integrity flags too", async () => {
    const query = `😀😀 Hidden here: wo\u200Brd, and some more words after it.`;
    const { check_id } = await engine.client.checked(query);
    for (const unit of ["code_point", "utf16"] as const) {
      const { integrity_flags: flags } = await engine.client.report(check_id, `?offset_unit=${unit}`);
      expect(flags.map(({ start, end }) => textAt(unit, query, start, end)).join("")).to.include("\u200B");
    }
  });

  it("gives query_text back exactly as submitted: nothing is trimmed or normalised in it", async () => {
    const text =
      "\uFEFF \r\n\t Cafe\u0301 ﬁnance Ｆｕｌｌ\u00A0width\u00AD \u200Etext\u200F Å \u2028 \u{10FFFF}\u0001 \r\n ";
    const report = await engine.client.checked(text);
    expect(report.query_text).to.equal(text);
    expect(report.char_count).to.equal([...text].length);
  });

  it("keeps the line ends of a file, and takes only its byte-order mark away", async () => {
    const text = `\r\n\n\r ${prose(501, 12)}\r\n`;
    const response = await engine.client.upload("/v1/checks/upload", {
      name: "a.txt",
      content: `\uFEFF${text}`,
    });
    const { check_id } = z.looseObject({ check_id: z.string() }).parse(await response.json());
    await engine.client.ended(check_id);
    expect((await engine.client.report(check_id)).query_text).to.equal(text);
    const { document_id } = await engine.client.addDocument("a.txt", `\uFEFF${text}`);
    expect((await documentWithText(document_id)).extracted_text).to.equal(text);
    const report = await engine.client.checked(text);
    expect(sourceTextOf(report, text, onlyPassage(report))).to.equal(text.trim());
  });

  it("counts code points in lengths, limits and previews", async () => {
    const gothic = "𐌰𐍄𐍄𐌰 𐌿𐌽𐍃𐌰𐍂 𐌸𐌿 𐌹𐌽 𐌷𐌹𐌼𐌹𐌽𐌰𐌼 ".repeat(20);
    const document = await engine.client.addDocument("gothic.txt", gothic, { title: "🏛".repeat(200) });
    expect(document.char_count).to.equal([...gothic].length);
    const report = await engine.client.checked(gothic, { title: "🏛".repeat(200) });
    const { overlap_text_preview: preview } = onlyPassage(report);
    expect([...preview].length).to.be.within(150, 200);
    const rows = CheckRows.parse(await (await engine.client.request("/v1/checks?limit=100")).json());
    const row = rows.items.find(({ check_id }) => check_id === report.check_id);
    expect(row?.query_text_preview).to.equal([...gothic].slice(0, 120).join(""));
    const tooLong = await engine.client.json("POST", "/v1/checks", {
      query_text: "text",
      title: "🏛".repeat(201),
    });
    expect(tooLong.status).to.equal(422);
  });

  it("refuses a query_text with U+0000; in an extracted file it is replaced by U+FFFD", async () => {
    const refused = await engine.client.json("POST", "/v1/checks", { query_text: "be\u0000fore" });
    await expectProblem(refused, 422, "invalid-input", ["query_text"]);
    const { document_id } = await engine.client.addDocument(
      "nul.txt",
      "be\u0000fore and after the mark stand words",
    );
    const { extracted_text } = await documentWithText(document_id);
    expect(extracted_text).to.equal("be\uFFFDfore and after the mark stand words");
  });

  it("takes no other unit: 422 that names offset_unit", async () => {
    const checkId = await engine.client.submit("Any text will do here.");
    await engine.client.ended(checkId);
    for (const unit of ["bytes", "", "UTF16", "utf16&offset_unit=code_point"]) {
      const response = await engine.client.request(`/v1/checks/${checkId}/report?offset_unit=${unit}`);
      await expectProblem(response, 422, "invalid-input", ["offset_unit"]);
    }
  });

  async function documentWithText(documentId: string): Promise<z.output<typeof DocumentWithText>> {
    return DocumentWithText.parse(
      await (await engine.client.request(`/v1/corpus/documents/${documentId}`)).json(),
    );
  }
});

function expectSamePercentages(a: WireReport, b: WireReport): void {
  expect(a.overall_similarity_pct).to.equal(b.overall_similarity_pct);
  expect(a.sources.map(({ similarity_pct }) => similarity_pct)).to.deep.equal(
    b.sources.map(({ similarity_pct }) => similarity_pct),
  );
}
