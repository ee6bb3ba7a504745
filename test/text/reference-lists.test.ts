import { expect } from "chai";
import { referenceLists } from "../../src/text/bibliography.ts";

function found(text: string): string[] {
  return referenceLists(text).map(({ start, end }) => text.slice(start, end));
}

/** Lists of works as they look in different styles and languages. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  "author and year": [
    "Smith, J. A., & Doe, R. (2010). A study of lighthouses. Journal of Coastal History, 3(2), 1-20.",
    "Müller, Karl (2014): Die Leuchttürme der Nordsee. Berlin: Hafen Verlag.",
    "García Márquez, G. (1967). Cien años de soledad. Editorial Sudamericana, pp. 12-40.",
  ],
  "numbers in brackets": [
    '[1] J. Smith and R. Doe, "A study of lighthouses," Proc. Coastal Hist., vol. 3, pp. 1-20, 2010.',
    "[2] K. Lee et al., Lamps and lenses. Oxford University Press, 1999.",
    '[3] A. B. Cole, "Fog signals," 2004. https://example.org/fog',
  ],
  "numbers with full stops": [
    "1. Smith JA, Doe R. A study of lighthouses. J Coast Hist. 2010;3(2):1-20.",
    "2. Lee K, Park S. Lamps and lenses. Hist Optics. 1999;12(1):45-51.",
    "3. Cole AB. Fog signals. doi:10.1000/fog. 2004.",
  ],
  "entries over several lines": [
    "Smith, John. “A Study of Lighthouses and of the\n    People Who Kept Them.” Journal of Coastal\n    History, vol. 3, no. 2, 2010, pp. 1-20.",
    "Lee, Karen. Lamps and Lenses. Oxford University\n    Press, 1999.",
    "Cole, Anna B. “Fog Signals.” Sea and Shore,\n    vol. 9, 2004, pp. 77-80.",
  ],
  "paragraphs with bullets": [
    "• Smith, J. (2010). A study of lighthouses. Journal of Coastal History, 3(2).\n",
    "• Lee, K. (1999). Lamps and lenses. Oxford University Press.\n",
    "• Cole, A. (2004). Fog signals. https://example.org/fog",
  ],
  Russian: [
    "1. Иванов И. И. Маяки северных морей. — М.: Наука, 1987. — 245 с.",
    "2. Петров А. С. Свет и стекло // Вестник оптики. 2003. № 4. С. 12-19.",
    "3. Сидорова О. В. Туманные сигналы. СПб.: Изд. дом «Гавань», 2011. — С. 40-58.",
  ],
  Chinese: [
    "[1] 王小明,李红. 灯塔的历史研究[J]. 海洋文化学报, 2010, 3(2): 1-20.",
    "[2] 张伟. 灯与透镜[M]. 北京: 海洋出版社, 1999: 45-60.",
    "[3] 陈静. 雾号的演变[D]. 上海: 海事大学, 2004. https://example.org/fog",
  ],
  "one work without a year among them": [
    "Smith, J. (2010). A study of lighthouses. Journal of Coastal History, 3(2), 1-20.",
    "Anonymous letter in the harbour archive.",
    "Lee, K. (1999). Lamps and lenses. Oxford University Press.",
    "Cole, A. (2004). Fog signals. Sea and Shore, 9, 77-80.",
  ],
};

const PROSE =
  "The keepers left the tower when the lamp was made automatic. Nobody came back for the logbook.";

const OTHERS: Readonly<Record<string, string>> = {
  "two works alone": LISTS["author and year"]?.slice(0, 2).join("\n") ?? "",
  "a numbered list of events":
    "1. In 1914 the tower was built by J. Smith (3 floors).\n2. In 1921 the lamp was replaced.\n3. In 1987 it was closed, see p. 7.",
  "a chronology": "1914 The tower is built.\n1921 The lamp is replaced.\n1987 The tower is closed.",
  "a table of results": "- 2010: 12-9, 3rd\n- 2011: 14-7, 2nd\n- 2012: 18-3, 1st\n- 2013: 9-12, 5th",
  "sentences that cite":
    "Smith, J. argued in 2010 that towers matter. Lee (1999, p. 4) did not.\n\nCole, who wrote in 2004, agreed.\n\nDoe, R. kept silent.",
  "a dialogue":
    "A. Smith: When was it built?\nB. Jones: In 1914, I think.\nA. Smith: And closed?\nB. Jones: In 1987.",
};

describe("reference lists", () => {
  for (const [what, entries] of Object.entries(LISTS)) {
    it(`are found without a heading: ${what}`, () => {
      const list = entries.join("\n");
      for (const lineEnd of ["\n", "\r\n"]) {
        const text = `${PROSE}\n\n${list}\n\n${PROSE}\n`.replaceAll("\n", lineEnd);
        expect(found(text)).to.deep.equal([list.replaceAll("\n", lineEnd).trimEnd()]);
      }
      expect(found(list)).to.deep.equal([list]);
    });
  }

  for (const [what, text] of Object.entries(OTHERS)) {
    it(`are not ${what}`, () => {
      expect(found(`${PROSE}\n\n${text}\n\n${PROSE}`)).to.deep.equal([]);
    });
  }

  it("do not exist in prose, in an empty text or in one very long line", () => {
    for (const text of ["", PROSE, `${PROSE}\n`.repeat(5), "[1] Smith, J. 2010. ".repeat(5_000)])
      expect(found(text)).to.deep.equal([]);
  });

  it("take about linear time", function () {
    this.timeout(120_000);
    for (const line of ["[1] Smith, J. (2010)", "1", "Ab", "S. ", "\n", "[1] ", "Aa Bb, ", "2010-"])
      for (const lineEnd of ["", "\n"]) expect(found(`${line}${lineEnd}`.repeat(50_000))).to.be.an("array");
  });
});
