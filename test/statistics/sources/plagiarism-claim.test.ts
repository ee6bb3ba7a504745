import { expect } from "chai";
import { documentedCases } from "../../../src/statistics/sources/cases/documented-cases.ts";
import { plagiarismClaim } from "../../../src/statistics/sources/cases/plagiarism-claim.ts";

const claim = (text: string, language = "en") => plagiarismClaim(text, language);
const finding = (text: string, language = "en") => claim(text, language)?.finding;

describe("what an entry of a list of misconduct says of plagiarism", () => {
  it("is nothing when it is about other misconduct", () => {
    const others = [
      "A. Example (Japan) fabricated data in 172 papers, more than anybody else.",
      "B. Example (US) falsified images; 12 papers were retracted.",
      "C. Example was found to have copied images between his papers.",
      "D. Example copied data of one experiment into another.",
      "E. Example duplicated his own publications, which is called self-plagiarism.",
      "F. Example copied text from her own earlier articles.",
      "G. Example owns the copyright of a textbook, and sold copies of it.",
    ];
    for (const text of others) expect(claim(text), text).to.equal(undefined);
  });

  it("is nothing when it is not certain: negations, denials, clearings, and people who exposed or suffered it", () => {
    const uncertain = [
      "A. Example fabricated data. The committee found no evidence of plagiarism.",
      "B. Example was accused of fabrication, but not of plagiarism.",
      "C. Example did not plagiarise the report, a court ruled.",
      "D. Example was accused of plagiarism. In 2011 she was cleared of all charges.",
      "E. Example was charged with plagiarism. The accusations were later dropped.",
      "F. Example denied plagiarism.",
      "G. Example exposed plagiarism in the theses of politicians.",
      "H. Example, whose work was plagiarized by a colleague, left the university.",
      "I. Example wrote plagiarism detection software, and falsified its evaluation.",
      "J. Example never plagiarized.",
      "K. Example was falsely accused of plagiarism.",
      "L. Example was sued for plagiarism by a student, who lost the case.",
      "M. Example was found to have plagiarized and/or falsified 70 papers.",
      "N. Example was dismissed for fabrication or plagiarism.",
      "O. Example: the committee concluded that the allegations of plagiarism were baseless.",
    ];
    for (const text of uncertain) expect(claim(text), text).to.equal(undefined);
  });

  it("is a finding when somebody has found it", () => {
    const found = [
      "A. Example was found to have plagiarised large parts of a thesis.",
      "B. Example's doctorate was revoked because of plagiarism.",
      "C. Example was found guilty of plagiarism, fabrication and fraud.",
      "D. Example admitted that she had copied passages without attribution.",
      "E. Example had 13 publications retracted for plagiarism.",
      "F. Example: allegations of plagiarism were confirmed by the university.",
    ];
    for (const text of found) expect(finding(text), text).to.equal("found");
  });

  it("is an allegation when nobody has, also when the sentence tells of another finding or a resignation", () => {
    const alleged = [
      "A. Example was accused of plagiarism.",
      "B. Example resigned over allegations of plagiarism.",
      "C. Example allegedly copied a book.",
      "D. Example was found to have fabricated data, and was accused of plagiarism.",
      "E. Example was accused of plagiarism and dismissed for another reason.",
      "F. Example faces claims that the dissertation is plagiarized.",
    ];
    for (const text of alleged) expect(finding(text), text).to.equal("alleged");
  });

  it("is a statement when the page says so in its own name", () => {
    expect(finding("A. Example plagiarized as many as 60 papers.")).to.equal("stated");
    expect(finding("A. Example copied a speech and passed it off as his own.")).to.equal("stated");
    expect(finding("A. Example copied chapters and did not cite the author.")).to.equal("stated");
  });

  it("is the sentence that is the most certain, whole, also with abbreviations in it", () => {
    const text =
      "Dr. A. Example was accused of plagiarism in 2010. The University of St. Gallen, advised by Prof. B. Sample, found plagiarism in 2011. He resigned.";
    expect(claim(text)).to.deep.equal({
      statement: "The University of St. Gallen, advised by Prof. B. Sample, found plagiarism in 2011.",
      finding: "found",
    });
    expect(claim("A. Example was a doctor. He plagiarised and self-plagiarised.")?.statement).to.equal(
      "He plagiarised and self-plagiarised.",
    );
  });

  it("is read in the language of the page", () => {
    const texts = [
      ["de", "Der Doktorgrad wurde wegen eines Plagiats aberkannt.", "found"],
      ["de", "Ihr wurde ein Plagiat vorgeworfen.", "alleged"],
      ["de", "Die Universität stellte fest, dass kein Plagiat vorlag.", undefined],
      ["fr", "Sa thèse a été annulée pour plagiat.", "found"],
      ["fr", "Il est accusé de plagiat.", "alleged"],
      ["es", "Fue acusado de plagio.", "alleged"],
      ["it", "La laurea fu revocata per plagio.", "found"],
      ["pt", "O título foi cassado por plágio.", "found"],
      ["pl", "Zarzucono mu plagiat.", "alleged"],
      ["ru", "Диссертационный совет установил плагиат, и его лишили степени.", "found"],
      ["ru", "Плагиат не обнаружен.", undefined],
      ["ja", "博士論文の盗用が認定され、学位が取り消された。", "found"],
      ["zh", "他的论文被认定抄袭，学位被撤销。", "found"],
      ["zh", "调查认为他没有抄袭。", undefined],
      ["sv", "Han dömdes för plagiat.", undefined],
    ] as const;
    for (const [language, text, expected] of texts) expect(finding(text, language), text).to.equal(expected);
  });

  it("is read in the language that the address of the wiki names", () => {
    const wikitext = "* '''A. Beispiel''': Der Doktorgrad wurde wegen Plagiats aberkannt.<ref>Zeitung</ref>";
    const page = { title: "Liste", revisionId: 1, wikitext };
    expect(documentedCases(page)).to.deep.equal([]);
    const [one] = documentedCases({ ...page, wiki: "https://de.wikipedia.org/w/index.php" });
    expect(one).to.include({
      finding: "found",
      statement: "A. Beispiel: Der Doktorgrad wurde wegen Plagiats aberkannt.",
    });
  });
});
