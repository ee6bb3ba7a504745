import { expect } from "chai";
import { wholeSentences } from "../../../src/matching/meaning/whole-sentences.ts";

const sentencesOf = (text: string, language: string) =>
  wholeSentences(text, language).map(({ start, end }) => text.slice(start, end));

describe("the sentences that are compared by meaning", () => {
  const whole: readonly (readonly [language: string, ...sentences: string[]])[] = [
    [
      "en",
      "The report by Dr. J. Smith et al. was read by all members.",
      "Nobody asked Prof. Miller a question.",
    ],
    ["de", "Am 3. Mai 1945 kam Dr. Weber z. B. nach Hause zurück.", "Der Krieg war damals fast vorbei."],
    ["fr", "La réunion avec M. Dupont et Mme. Martin a duré trois heures.", "Rien n'y fut vraiment décidé."],
    ["es", "La profesora Dra. García llegó con el Sr. López a la reunión.", "Nadie les hizo una pregunta."],
    ["ru", "В 1905 г. Эйнштейн опубликовал свою первую работу.", "Она изменила всю физику навсегда."],
    [
      "pl",
      "Spotkanie z prof. Kowalskim odbyło się w poniedziałek rano.",
      "Nikt nie zadał mu żadnego pytania.",
    ],
    ["nl", "De vergadering met dhr. Jansen duurde ruim drie uur.", "Niemand stelde hem een lastige vraag."],
    ["tr", "Toplantı 3. Mayıs günü Doç. Yılmaz ile birlikte yapıldı.", "Kimse ona bir soru sormadı."],
  ];
  for (const [language, ...sentences] of whole)
    it(`are whole in ${language}, in spite of abbreviations`, () => {
      expect(sentencesOf(sentences.join(" "), language)).to.deep.equal(sentences);
    });

  it("end at the full stops of Chinese and Japanese", () => {
    const chinese = ["灯塔看守人每天晚上把鲸油搬上楼梯。", "后来人们发明了更加明亮的电灯。"];
    expect(sentencesOf(chinese.join(""), "zh")).to.deep.equal(chinese);
    const japanese = ["灯台守は毎晩鯨油を階段で運んだ。", "やがて人々は電灯を発明して使い始めた。"];
    expect(sentencesOf(japanese.join(""), "ja")).to.deep.equal(japanese);
  });

  it("are parts of some 80 letters in Thai, which has no full stop", () => {
    const clause = "ผู้ดูแลประภาคารแบกน้ำมันปลาวาฬขึ้นบันไดทุกเย็นเพื่อจุดไฟ ";
    const parts = sentencesOf(clause.repeat(6), "th");
    expect(parts.length).to.be.within(3, 8);
    expect(Math.max(...parts.map(({ length }) => length))).to.be.below(200);
  });

  it("are no headings, list items, captions or references", () => {
    const text = [
      "3.1 Results of the experiment",
      "The new lamp burned three times as long as the old one did.",
      "Figure 2. Lamps",
      "- whale oil\n- paraffin",
      "1894 12.5 13.1 14.9 15.0 | 1895 12.4 13.3",
    ].join("\n\n");
    expect(sentencesOf(text, "en")).to.deep.equal([
      "The new lamp burned three times as long as the old one did.",
    ]);
  });

  it("lie in order inside the text, whatever it holds", () => {
    for (const text of [
      "",
      "   ",
      "\n\n\n",
      "a",
      "。。。",
      "Mr. ",
      "x".repeat(5_000),
      "word ".repeat(2_000),
    ]) {
      let end = 0;
      for (const span of wholeSentences(text, "en")) {
        expect(span.start).to.be.at.least(end);
        expect(span.end).to.be.within(span.start + 1, text.length);
        end = span.end;
      }
    }
  });
});
