import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  expectReportLaws,
  markedTexts,
  onlyPassage,
  onlySource,
  queryTextOf,
  sourceTextOf,
} from "./report-laws.ts";

/** Copied sentences between new ones, in languages that put no spaces between words. */
const UNSPACED = [
  {
    language: "zh",
    before: "昨天晚上下了一场大雨,街道上到处都是积水,行人走路十分不便。",
    copied: "城市图书馆从下周开始延长开放时间,读者可以在晚上九点以前借阅书籍和报纸,周末也照常开放。",
    after: "至于公园的门票价格,市政府还没有作出最后的决定。",
    sourceBefore: "据本地报纸报道,市民对新政策普遍表示欢迎。",
    sourceAfter: "馆长说,这项措施是根据读者的要求制定的。",
  },
  {
    language: "ja",
    before: "先月から新しい仕事を始めましたが、毎日とても忙しいです。",
    copied:
      "この町の古い図書館は百年前に建てられ、今でも多くの人々が本を借りに訪れていますし、子供たちもよく集まります。",
    after: "来年の夏には家族と一緒に海へ行くつもりです。",
    sourceBefore: "駅前の商店街はいつもにぎやかです。",
    sourceAfter: "建物の保存については意見が分かれています。",
  },
  {
    language: "th",
    before: "เมื่อวานนี้ฝนตกหนักมากจนถนนหลายสายมีน้ำท่วมขัง ",
    copied: "ห้องสมุดประจำเมืองจะเปิดให้บริการถึงเวลาสามทุ่มตั้งแต่สัปดาห์หน้าเป็นต้นไป และผู้อ่านสามารถยืมหนังสือได้มากขึ้น",
    after: " ส่วนเรื่องค่าเข้าสวนสาธารณะยังไม่มีข้อสรุป",
    sourceBefore: "ชาวบ้านส่วนใหญ่เห็นด้วยกับนโยบายใหม่นี้ ",
    sourceAfter: " ผู้อำนวยการกล่าวว่าเป็นไปตามคำขอของผู้อ่าน",
  },
] as const;

describe("reports: short texts and scripts without spaces", () => {
  const engine = useEngine();

  describe("decisions, Engine: checks: a document checked against itself is 100.00, one passage", () => {
    for (const words of [1, 2, 3, 4, 5, 6, 7]) {
      it(`also one of ${words} word${words === 1 ? "" : "s"}`, async () => {
        const text = `${prose(40 + words, words)} …\r\n`;
        const { document_id } = await engine.client.addDocument("short.txt", text);
        const report = await engine.client.checked(text);
        expectReportLaws(report);
        expect(report.word_count).to.equal(words);
        expect(report.overall_similarity_pct).to.equal(100);
        expect(report.unique_passages).to.deep.equal([[0, text.length]]);
        expect(onlySource(report).source_document_id).to.equal(document_id);
        expect(onlyPassage(report).match_type).to.equal("identical");
      });
    }

    it("also one that begins with emoji or ends with them", async () => {
      const text = `😀😀 ${prose(60, 3)} 🎻`;
      await engine.client.addDocument("emoji.txt", text);
      const report = await engine.client.checked(text);
      expect(report.overall_similarity_pct).to.equal(100);
      expect(report.unique_passages).to.deep.equal([[0, [...text].length]]);
    });

    it("also one of six words, the first five of which begin ten longer documents", async () => {
      const opening = prose(70, 5).slice(0, -1);
      for (let seed = 71; seed <= 80; seed += 1) {
        await engine.client.addDocument("longer.txt", `${opening} ${prose(seed, 30)}`);
      }
      const { document_id } = await engine.client.addDocument("shorter.txt", `${opening} x`);
      const report = await engine.client.checked(`${opening} x`);
      expect(report.overall_similarity_pct).to.equal(100);
      expect(onlySource(report).source_document_id).to.equal(document_id);
    });

    it("a text without a letter or digit has nothing to match: complete, full coverage, 0.00", async () => {
      for (const text of ["!!! … ??? — «»", "😀😀😀", " \r\n\t "]) {
        if (text.trim() !== "") {
          const document = await engine.client.addDocument("marks.txt", text);
          expect(document).to.deep.include({ word_count: 0, fingerprint_status: "fingerprinted" });
        }
        const report = await engine.client.checked(text);
        expectReportLaws(report);
        expect(report).to.deep.include({
          overall_similarity_pct: 0,
          word_count: 0,
          sources: [],
          unique_passages: [],
          coverage: "full",
          query_text: text,
        });
        expect(report.checked_chunks).to.equal(report.total_chunks);
      }
    });
  });

  describe("specification 2.1: language is used for segmentation, so that text without spaces works", () => {
    for (const { language, before, copied, after, sourceBefore, sourceAfter } of UNSPACED) {
      it(`finds a sentence copied from a document in ${language}`, async () => {
        const source = `${sourceBefore}${copied}${sourceAfter}`;
        const document = await engine.client.addDocument(`${language}.txt`, source, { language });
        expect(document.word_count).to.be.greaterThan(15);
        const report = await engine.client.checked(`${before}${copied}${after}`, { language });
        expectReportLaws(report);
        expect(report.language).to.equal(language);
        const marked = markedTexts(report);
        expect(marked).to.have.lengthOf(1);
        expect(marked[0]).to.include(copied.slice(4, -4));
        expect(Math.abs((marked[0] ?? "").length - copied.length), marked[0]).to.be.at.most(3);
        const passage = onlyPassage(report);
        expect(sourceTextOf(report, source, passage)).to.equal(queryTextOf(report, passage));
        expect(passage.match_type).to.equal("identical");
      });

      it(`a document in ${language} checked against itself is 100.00, one passage`, async () => {
        const text = `${before}\n${after}\n`;
        await engine.client.addDocument(`self-${language}.txt`, text, { language });
        const report = await engine.client.checked(text, { language });
        expectReportLaws(report);
        expect(report.overall_similarity_pct).to.equal(100);
        expect(onlyPassage(report).match_type).to.equal("identical");
      });
    }
  });
});
