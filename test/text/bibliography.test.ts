import { expect } from "chai";
import { bibliography, markdownFootnotes } from "../../src/text/bibliography.ts";
import { cpuTimeMs } from "../support/cpu-time.ts";

const ENTRIES =
  "[1] Smith, J. (2010). A study. Journal of Studies, 3(2), 1-20.\n[2] Doe, A. Another study. 2011.\n";

/** The bibliographies themselves. */
function found(text: string): string[] {
  return bibliography(text).map(({ start, end }) => text.slice(start, end));
}

describe("Markdown's footnotes", () => {
  const notes = (text: string) => markdownFootnotes(text).map(({ start, end }) => text.slice(start, end));

  it("are found behind the references, with their further lines and paragraphs", () => {
    const note = "[^1]: The protocol was measured\non three mornings.\n\n    It is with the author.";
    expect(
      notes(`Text[^1].\n\n## References\n\n${ENTRIES}\n${note}\n[^b]: Short.\n\nOwn text.`),
    ).to.deep.equal([note, "[^b]: Short."]);
  });

  it("are none where they are the references themselves", () => {
    expect(
      notes(
        "Text[^1].\n\n## References\n\n[^1]: Smith, J. (2010). A study. Journal of Studies, 3(2), 1-20.\n",
      ),
    ).to.deep.equal([]);
  });
});

describe("bibliography", () => {
  describe("begins at a heading", () => {
    const headings = [
      "References",
      "REFERENCES",
      "R E F E R E N C E S",
      "Bibliography",
      "Works cited",
      "Works Cited:",
      "7. References",
      "7 References",
      "7.2 References",
      "7. references",
      "VII. References",
      "VII References",
      "G. References",
      "## References",
      "## References ##",
      "### 7. References",
      "**References**",
      "__References__",
      "== References ==",
      "[References]",
      "  References  ",
      "\u200fReferences",
      "References\n==========",
      "References\n-----",
      "Literatur",
      "Literaturverzeichnis",
      "Quellen- und Literaturverzeichnis",
      "Bibliographie",
      "Références",
      "RÉFÉRENCES",
      "REFERENCES BIBLIOGRAPHIQUES",
      "Re\u0301fe\u0301rences",
      "Referencias",
      "Bibliografía",
      "Referências bibliográficas",
      "Bibliografia",
      "Literatuurlijst",
      "Källförteckning",
      "Lähteet",
      "Literatura",
      "Irodalomjegyzék",
      "Список литературы",
      "СПИСОК ЛИТЕРАТУРЫ",
      "Список використаних джерел",
      "Βιβλιογραφία",
      "ΒΙΒΛΙΟΓΡΑΦΙΑ",
      "Kaynakça",
      "参考文献",
      "参 考 文 献",
      "【参考文献】",
      "七、参考文献",
      "第七章 参考文献",
      "7参考文献",
      "参考資料",
      "참고문헌",
      "المراجع",
      "ביבליוגרפיה",
      "संदर्भ",
      "เอกสารอ้างอิง",
      "Tài liệu tham khảo",
      "Daftar pustaka",
    ];
    for (const heading of headings)
      it(`such as ${JSON.stringify(heading)}`, () => {
        expect(found(`The text ends here.\n${heading}\n${ENTRIES}`)).to.deep.equal([
          `${heading}\n${ENTRIES}`,
        ]);
      });

    it("in lower case only after a blank line", () => {
      expect(found(`The end.\n\nreferences\n${ENTRIES}`)).to.deep.equal([`references\n${ENTRIES}`]);
      expect(found(`For this we give no\nreferences\nhere.`)).to.deep.equal([]);
    });

    it("with any line ends", () => {
      for (const lineEnd of ["\n", "\r\n", "\r", "\u2028"])
        expect(found(`End.${lineEnd}References${lineEnd}Smith 2010`)).to.deep.equal([
          `References${lineEnd}Smith 2010`,
        ]);
    });

    it("on the first line or on the last", () => {
      expect(found("References\nSmith 2010")).to.deep.equal(["References\nSmith 2010"]);
      expect(found("The end.\nReferences")).to.deep.equal(["References"]);
    });
  });

  describe("does not begin", () => {
    const lines = [
      "The references are given below.",
      "References to this are many",
      "References ..... 12",
      "References\t12",
      "7. References . . . . . . 12",
      "7 References 112",
      "See the references",
      "Literatur und Leben",
      "Literature review",
      "| References | 12 |",
      `References ${"to a very long line ".repeat(50)}`,
    ];
    for (const line of lines)
      it(`at ${JSON.stringify(line.slice(0, 40))}`, () => {
        expect(found(`The text ends here.\n\n${line}\n\nMore text.`)).to.deep.equal([]);
      });

    it("in an empty text", () => {
      expect(found("")).to.deep.equal([]);
    });
  });

  describe("ends at the next heading", () => {
    const ends: [heading: string, next: string][] = [
      ["References", "Appendix"],
      ["References", "APPENDIX A"],
      ["References", "Appendix B: Proofs of the lemmas"],
      ["References", "A. Appendix"],
      ["References", "Acknowledgements"],
      ["References", "## Anything at all, marked up. Even 2010"],
      ["References", "== Anything =="],
      ["References", "Anything\n========"],
      ["References", "8.1 Details of the method"],
      ["References", "Chapter 9 The end of it"],
      ["References", "\n8 Discussion"],
      ["7. References", "8. Outlook and Closing Remarks"],
      ["7 References", "8 Appendix"],
      ["## References", "## Notes on the text"],
      ["## References", "# Part two"],
      ["## References", "### Appendix"],
      ["Literatur", "Anhang"],
      ["Literatur", "Anhang A"],
      ["Références", "Annexe 1 : Questionnaire"],
      ["Bibliographie", "Remerciements"],
      ["Referencias", "Apéndice"],
      ["Referências", "Agradecimentos"],
      ["Bibliografia", "Ringraziamenti"],
      ["Literatuur", "Bijlage 2"],
      ["Список литературы", "Приложение А"],
      ["Список литературы", "ПРИЛОЖЕНИЕ"],
      ["参考文献", "附录"],
      ["参考文献", "附录A"],
      ["参考文献", "附录一：问卷"],
      ["参考文献", "第八章 结语"],
      ["参考文献", "謝辞"],
      ["참고문헌", "부록"],
      ["المراجع", "الملاحق"],
      ["संदर्भ", "परिशिष्ट"],
    ];
    for (const [heading, next] of ends)
      it(`from ${JSON.stringify(heading)} to ${JSON.stringify(next)}`, () => {
        const [blank = "", ...rest] = next.startsWith("\n") ? ["\n", next.slice(1)] : ["", next];
        expect(found(`End.\n${heading}\n${ENTRIES}${blank}${rest.join("")}\nMore text.`)).to.deep.equal([
          `${heading}\n${ENTRIES}${blank}`,
        ]);
      });

    it("and begins again at the next bibliography", () => {
      const text = `One.\n# References\n${ENTRIES}# Chapter\nTwo.\n# References\n${ENTRIES}`;
      expect(found(text)).to.deep.equal([`# References\n${ENTRIES}`, `# References\n${ENTRIES}`]);
    });
  });

  describe("continues", () => {
    const entries: [heading: string, line: string][] = [
      ["References", "12. Smith J. (2010) On things. Nature."],
      ["References", "12. World Health Organization"],
      ["References", "11. Doe, A. One.\n\n12. World Health Organization"],
      ["References", "Smith J. On things."],
      ["References", "2010 was the year."],
      ["References", "Appendix to the Journal of Things, 12"],
      ["References", "A list of books, without years\n\nand a blank line."],
      ["References", "Smith, J., On things.\n---\nDoe, A., On other things."],
      ["References", "---\n---"],
      ["References", "the appendix\nappendix\nto that."],
      ["References", "Sources"],
      ["7 References", "7.1 Books\nSmith J.\n7.2 Articles\nDoe A."],
      ["## References", "### Books\nSmith J.\n### Articles\nDoe A."],
    ];
    for (const [heading, line] of entries)
      it(`past ${JSON.stringify(line)} below ${JSON.stringify(heading)}`, () => {
        const section = `${heading}\n${ENTRIES}${line}\n${ENTRIES}`;
        expect(found(`End.\n${section}`)).to.deep.equal([section]);
      });

    it("after the entry whose number the next heading would have", () => {
      const section = "2. References\n1. Smith\n2. Doe A.\n3. World Health Organization\n";
      expect(found(`End.\n${section}`)).to.deep.equal([section]);
    });
  });

  it("ends the bibliography of a table of contents at the start of the text", () => {
    const text = `Contents\nIntroduction\nReferences\n\nIntroduction\nThe text.`;
    expect(found(text)).to.deep.equal(["References\n\n"]);
  });

  it("takes linear time on 500,000 characters of any kind", function () {
    this.timeout(120_000);
    const parts = [
      "References\n",
      "\n",
      "# References\n## x\n",
      " ",
      "1. A\n",
      "#",
      "=",
      "Appendix\n",
      "参",
      "\r",
      "A ",
    ];
    for (const part of parts) {
      const text = `References\n${part.repeat(Math.ceil(500_000 / part.length))}`;
      const start = cpuTimeMs();
      bibliography(text);
      expect(cpuTimeMs() - start, JSON.stringify(part)).to.be.below(10_000);
    }
  });
});
