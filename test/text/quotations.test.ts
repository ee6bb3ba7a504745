import { expect } from "chai";
import { QUOTATION_CHARS_MAX, quotations } from "../../src/text/quotations.ts";
import { cpuTimeMs } from "../support/cpu-time.ts";

/** The quoted parts themselves. */
function quoted(text: string): string[] {
  return quotations(text).map(({ start, end }) => text.slice(start, end));
}

describe("quotations", () => {
  describe("between marks of any language", () => {
    const examples: [language: string, text: string, found: string[]][] = [
      ["straight", 'He said "all is well" and left.', ['"all is well"']],
      ["English", "He said “all is well.” Then he left.", ["“all is well.”"]],
      ["English single", "He said ‘all is well.’ Then he left.", ["‘all is well.’"]],
      ["straight single", "He said 'all is well.' Then he left.", ["'all is well.'"]],
      ["German", "Er sagte: „Alles ist gut“, und ging.", ["„Alles ist gut“"]],
      ["German single", "Er sagte: ‚Alles ist gut‘, und ging.", ["‚Alles ist gut‘"]],
      ["German guillemets", "Er sagte: »Alles ist gut«, und ging.", ["»Alles ist gut«"]],
      ["German single guillemets", "Er sagte: ›Alles ist gut‹, und ging.", ["›Alles ist gut‹"]],
      ["Polish", "Powiedział: „Wszystko dobrze”, i wyszedł.", ["„Wszystko dobrze”"]],
      ["Swedish", "Han sade: ”Allt är bra”, och gick.", ["”Allt är bra”"]],
      ["Finnish guillemets", "Hän sanoi: »Kaikki on hyvin», ja lähti.", ["»Kaikki on hyvin»"]],
      ["Swedish single", "Han sade: ’Allt är bra’, och gick.", ["’Allt är bra’"]],
      ["French", "Il dit : « Tout va bien » et partit.", ["« Tout va bien »"]],
      [
        "French with narrow spaces",
        "Il dit : «\u202fTout va bien\u202f», et partit.",
        ["«\u202fTout va bien\u202f»"],
      ],
      ["Swiss", "Il dit: ‹Tout va bien›, et partit.", ["‹Tout va bien›"]],
      ["Russian", "Он сказал: «Всё хорошо», — и ушёл.", ["«Всё хорошо»"]],
      ["Chinese", "他说：“一切都好。”然后走了。", ["“一切都好。”"]],
      ["Chinese straight", '他说"一切都好"然后走了', ['"一切都好"']],
      ["Chinese single", "他说‘一切都好’然后走了", ["‘一切都好’"]],
      ["Japanese", "彼は「大丈夫」と言った。", ["「大丈夫」"]],
      ["Japanese nested", "彼は『「大丈夫」と言え』と言った。", ["『「大丈夫」と言え』"]],
      ["Japanese half-width", "彼は｢大丈夫｣と言った。", ["｢大丈夫｣"]],
      ["Korean with a particle", '그는 "괜찮다"라고 했다.', ['"괜찮다"']],
      ["Korean single", "그는 '사랑'은 아니라고 했다.", ["'사랑'"]],
      ["Hebrew", 'הוא אמר "הכול בסדר" והלך.', ['"הכול בסדר"']],
      ["full-width", "他说＂一切都好＂然后走了", ["＂一切都好＂"]],
      ["double primes", "He said ″all is well″ and left.", ["″all is well″"]],
      ["reversed double primes", "He said 〝all is well〟 and left.", ["〝all is well〟"]],
      ["ornaments", "He said ❝all is well❞ and left.", ["❝all is well❞"]],
      ["mathematical letters beside the marks", "𝐀 “𝐁” 𝐂", ["“𝐁”"]],
      ["Turkish with a suffix", 'Dün "Hürriyet"in haberi çıktı.', ['"Hürriyet"']],
    ];
    for (const [language, text, found] of examples)
      it(`finds ${language} quotations with their marks`, () => {
        expect(quoted(text)).to.deep.equal(found);
      });

    it("ignores 《…》, because they mark a title and quote nothing", () => {
      expect(quoted("我读过《红楼梦》。")).to.deep.equal([]);
    });

    it("treats a quotation within a quotation as a part of it", () => {
      expect(quoted("«Il dit «oui» hier», dit-elle.")).to.deep.equal(["«Il dit «oui» hier»"]);
      expect(quoted("»Er sagte »ja« zu mir«, sagte sie.")).to.deep.equal(["»Er sagte »ja« zu mir«"]);
      expect(quoted(`"He said 'yes' to me," she said.`)).to.deep.equal([`"He said 'yes' to me,"`]);
      expect(quoted("“He said ‘yes’ to me,” she said.")).to.deep.equal(["“He said ‘yes’ to me,”"]);
      expect(quoted("„Er sagte “yes” zu mir“, sagte sie.")).to.deep.equal(["„Er sagte “yes” zu mir“"]);
    });

    it("finds several quotations in a line, beside brackets and dashes", () => {
      expect(quoted('("one") "two", said:"three" — "four"—"five".')).to.deep.equal([
        '"one"',
        '"two"',
        '"three"',
        '"four"',
        '"five"',
      ]);
      expect(quoted('Then "...and so on" came.')).to.deep.equal(['"...and so on"']);
      expect(quoted('He said "Stop."Then he left.')).to.deep.equal(['"Stop."']);
    });
  });

  describe("over several paragraphs", () => {
    it("go on where each paragraph opens the quotation again, as far as the mark that closes it", () => {
      const pairs = ["“”", "„“", "«»", '""', "»«", "””", "‘’", "‚‘", "''", "’’"];
      for (const [open, close] of pairs.map((pair) => [...pair])) {
        const text = `He wrote.\n\n${open}The first paragraph.\n\n${open}The second one.\n\n${open}And the last.${close}\n\nSo it was.`;
        expect(quoted(text)).to.deep.equal([text.slice(11, -12)]);
      }
      for (const [open, close] of [
        ["``", "''"],
        ["‘‘", "’’"],
        ["''", "''"],
        [",,", "''"],
        ["`", "'"],
      ]) {
        const text = `${open}The first.\n\n${open}And the last.${close}`;
        expect(quoted(`He wrote:\n\n${text} So.`)).to.deep.equal([text]);
      }
      expect(quoted("He wrote: “The first.\n\n“The last.” So.")).to.deep.equal([
        "“The first.\n\n“The last.”",
      ]);
    });

    it("go on behind a colon or a comma", () => {
      for (const [open, close] of ['""', "‘’", "»«", "””", "''"].map((pair) => [...pair])) {
        const text = `He wrote: ${open}The first.\n\n${open}The last.${close} So.`;
        expect(quoted(text)).to.deep.equal([text.slice(10, -4)]);
      }
    });

    it("go on in verse that opens each line", () => {
      for (const [open, close] of ["“”", '""', "‘’", "»«"].map((pair) => [...pair])) {
        const text = `${open}One line,\n${open}another,\n${open}the last.${close}`;
        expect(quoted(text)).to.deep.equal([text]);
      }
    });

    it("go on where French paragraphs open with a closing mark", () => {
      const text = "« Le premier.\n\n» Le deuxième.\n\n» Le dernier. »";
      expect(quoted(`${text} Fin.`)).to.deep.equal([text]);
      expect(quoted("« Tout.\n\n» Fin, dit-il. « Oui » ou non.")).to.deep.equal(["« Tout.\n\n»", "« Oui »"]);
    });

    it("do not go on from a mark inside a sentence that may be a stray one", () => {
      for (const [open, close] of ['""', "‘’", "»«", "””", "''"].map((pair) => [...pair]))
        expect(quoted(`A ${open}stray mark.\n\n${open}A quotation.${close}`)).to.deep.equal([
          `${open}A quotation.${close}`,
        ]);
    });

    it("go on in lines without a blank one between them behind the end of a sentence only", () => {
      expect(quoted('He wrote: "The first.\n"The last." So.')).to.deep.equal(['"The first.\n"The last."']);
      expect(quoted('In security, "it was the\n"credit transfer" of it.')).to.deep.equal([
        '"credit transfer"',
      ]);
    });

    it("do not go on from a mark that another one may have been meant to close", () => {
      expect(quoted('"Licensed Patents " are claims.\n\n"Program" is a work.')).to.deep.equal(['"Program"']);
    });

    it("do not go on from a quotation of one paragraph, nor over lines that begin with an apostrophe", () => {
      expect(quoted("‘Quoted words’ are here.\n\n‘Others’ are there.")).to.deep.equal([
        "‘Quoted words’",
        "‘Others’",
      ]);
      expect(quoted("'Twas the dogs.\n\n'Twas the boys' best.")).to.deep.equal([]);
      expect(quoted("'A plan.\n\n'Twas the dogs.\n\n'The best.'")).to.deep.equal(["'The best.'"]);
      expect(quoted("'Open the file\n'as it is.'")).to.deep.equal(["'as it is.'"]);
    });

    it("do not go on over a paragraph that does not open them", () => {
      expect(quoted("“A stray mark.\n\nOwn text.\n\n“A quotation.”")).to.deep.equal(["“A quotation.”"]);
      expect(quoted('"7" and\n\n"a quotation"')).to.deep.equal(['"7"', '"a quotation"']);
    });

    it("have the limit in each paragraph", () => {
      const paragraph = `“${"x ".repeat(QUOTATION_CHARS_MAX / 2 - 10)}`;
      const text = `${paragraph}\n\n${paragraph}\n\n${paragraph}”`;
      expect(quoted(text)).to.deep.equal([text]);
      for (const [open, close] of ["“”", '""', "‘’", "»«"].map((pair) => [...pair])) {
        const stray = `${open}${"x ".repeat(QUOTATION_CHARS_MAX)}\n\n`;
        expect(quoted(`${stray}${open}A quotation.${close}`)).to.deep.equal([`${open}A quotation.${close}`]);
      }
    });
  });

  describe("between marks of different kinds", () => {
    for (const [text, found] of [
      ['He said “all is well" and left.', '“all is well"'],
      ['He said "all is well” and left.', '"all is well”'],
      ['Er sagte „alles ist gut" und ging.', '„alles ist gut"'],
      ['Er sagte "alles ist gut“ und ging.', '"alles ist gut“'],
      ["As in ``all is well'' of LaTeX.", "``all is well''"],
      ["Er schrieb ,,alles ist gut'' mit der Maschine.", ",,alles ist gut''"],
      ["He wrote ``it's 'fine' here'' once.", "``it's 'fine' here''"],
      ['He wrote ``all is well" once.', '``all is well"'],
      ['Il dit «tout va bien" et partit.', '«tout va bien"'],
      ["He wrote ''all is well'' on it.", "''all is well''"],
      ["He wrote ‘‘all is ‘well’’’ on it.", "‘‘all is ‘well’’’"],
      ["He wrote ''it's well'' on it.", "''it's well''"],
      ["He wrote ''all is well\" on it.", "''all is well\""],
      ["''All is well in 1999'' it was.", "''All is well in 1999''"],
      ["He wrote `all is well,' and left.", "`all is well,'"],
      ["It is `the boys' club', isn't it?", "`the boys' club'"],
      ["Он сказал <<всё хорошо>> и ушёл.", "<<всё хорошо>>"],
    ] as const)
      it(`finds ${found}`, () => {
        expect(quoted(text)).to.deep.equal([found]);
      });

    it("pairs marks of one kind first", () => {
      expect(quoted('“He said "yes" to me,” she said.')).to.deep.equal(['“He said "yes" to me,”']);
      expect(quoted('"He said “yes” to me," she said.')).to.deep.equal(['"He said “yes” to me,"']);
      expect(quoted('“A 6" pipe” is short.')).to.deep.equal(['“A 6" pipe”']);
      expect(quoted('«One stray" mark» is read over.')).to.deep.equal(['«One stray" mark»']);
      expect(quoted("“Where f'' is zero” and ''here''.")).to.deep.equal(["“Where f'' is zero”", "''here''"]);
    });

    it("takes code and emphasis of other markup for no quotation", () => {
      expect(quoted("Use ``code`` and ```js``` here.")).to.deep.equal([]);
      expect(quoted("Use `code` and `the dogs' names', or `more`.")).to.deep.equal([]);
      expect(quoted("'''Bells''' are in ''The Book of Bells''.").join()).not.to.include("Book");
      expect(quoted("cout <<name; vector<vector<int>> v; a << b and c >> d")).to.deep.equal([]);
    });
  });

  describe("marks that quote nothing", () => {
    const examples: [what: string, text: string][] = [
      ["an inch mark", 'A 6" pipe and an 8" pipe.'],
      ["feet and inches", `He is 5' 10" tall, she is 5'6" tall.`],
      ["minutes and seconds", "It lies at 40° 26′ 46″ N, 79° 58′ 56″ W."],
      ["feet and inches in apostrophes", "He is 5' 10'' tall, at 40° 26' 46'' N, with f'' in l''acqua."],
      ["a grave accent", "Perche` no, the `okina and the `90s of the dogs' day."],
      ["apostrophes", "It's the dogs' and the boy's dinner, isn't it?"],
      ["curly apostrophes", "It’s the dogs’ and the boy’s dinner, isn’t it?"],
      ["elisions", "'Twas rock 'n' roll that got 'em in the '90s, the boys' best."],
      ["curly elisions", "’Twas rock ’n’ roll that got ‘em in the ’90s, the boys’ best."],
      ["an initialism's genitive", "The U.S.'s and the dogs' dinner."],
      ["Hebrew abbreviations", 'צה"ל ודו"ח ומנכ״ל'],
      ["a stray closing mark", "This is the end.” And so is this. » Home"],
      ["bread crumbs", "Home » Products » Pipes › Steel › Long"],
      ["an empty text", ""],
    ];
    for (const [what, text] of examples)
      it(`takes ${what} for no quotation`, () => {
        expect(quoted(text)).to.deep.equal([]);
      });

    it("finds quotations that contain them", () => {
      expect(quoted('He wanted "a 6" pipe" and left.')).to.deep.equal(['"a 6" pipe"']);
      expect(quoted("He likes ‘the boys’ club’, he says.")).to.deep.equal(["‘the boys’ club’"]);
      expect(quoted("He said ‘it’s well’, I think.")).to.deep.equal(["‘it’s well’"]);
    });

    it("ends at a doubtful mark if no certain one follows", () => {
      expect(quoted("Some ‘quoted words’ here and ‘others’ there.")).to.deep.equal([
        "‘quoted words’",
        "‘others’",
      ]);
      expect(quoted('He paid "1,500" and went.')).to.deep.equal(['"1,500"']);
      expect(quoted('He paid "1,500" and\n\nleft "at once".')).to.deep.equal(['"1,500"', '"at once"']);
    });
  });

  describe("an unclosed mark", () => {
    it("quotes nothing", () => {
      for (const mark of ['"', "“", "„", "«", "‘", "「", "'", "›"])
        expect(quoted(`He said ${mark}all is well and left. No end.`), mark).to.deep.equal([]);
    });

    it("does not hide the next quotation", () => {
      expect(quoted('A "stray mark. Then "a quotation" here.')).to.deep.equal(['"a quotation"']);
      expect(quoted("A “stray mark. Then “a quotation” here.")).to.deep.equal(["“a quotation”"]);
      expect(quoted("A ‘stray mark. Then ‘a quotation’ here.")).to.deep.equal(["‘a quotation’"]);
    });

    it("ends with its paragraph if the mark has several roles", () => {
      for (const blank of ["\n\n", "\r\n\r\n", "\n \t\n", "\u2029\u2029"]) {
        expect(quoted(`A "stray mark.${blank}A line" here.`)).to.deep.equal([]);
        expect(quoted(`A ’stray mark.${blank}A line’ here.`)).to.deep.equal([]);
        expect(quoted(`A ”stray mark.${blank}A line” here.`)).to.deep.equal([]);
      }
      expect(quoted('Over "two\r\nlines" it goes.')).to.deep.equal(['"two\r\nlines"']);
      expect(quoted("Over “two\n\nparagraphs” it goes.")).to.deep.equal(["“two\n\nparagraphs”"]);
    });
  });

  describe("the limit", () => {
    for (const [open, close] of ["“”", "«»", '""', "‘’"].map((pair) => [...pair]))
      it(`allows ${QUOTATION_CHARS_MAX} code points between ${open} and ${close}, and no more`, () => {
        const longest = `${open}${"𝐀".repeat(QUOTATION_CHARS_MAX)}${close}`;
        const tooLong = `${open}${"𝐀".repeat(QUOTATION_CHARS_MAX + 1)}${close}`;
        expect(quoted(`So: ${longest}.`)).to.deep.equal([longest]);
        expect(quoted(`So: ${tooLong}.`)).to.deep.equal([]);
      });

    it("uses the doubtful end if the certain one is too far away", () => {
      expect(quoted(`A "number 7" and ${"x ".repeat(QUOTATION_CHARS_MAX)}end".`)).to.deep.equal([
        '"number 7"',
      ]);
    });
  });

  describe("block quotes", () => {
    it("are the lines that start with >, with the line breaks between them", () => {
      expect(quoted("He wrote:\n> All is well.\n> Really.\n\nThen he left.")).to.deep.equal([
        "> All is well.\n> Really.",
      ]);
      expect(quoted("> One.\r\n> Two.\r\n")).to.deep.equal(["> One.\r\n> Two."]);
      expect(quoted("  > indented\nplain\n> again")).to.deep.equal(["  > indented", "> again"]);
    });

    it("have no limit", () => {
      const block = `> ${"long ".repeat(1000)}`;
      expect(quoted(block)).to.deep.equal([block]);
    });

    it("do not pair their marks with marks outside", () => {
      expect(quoted('> A "stray mark\nand its "end" here')).to.deep.equal(['> A "stray mark', '"end"']);
    });

    it("are not a comparison or an arrow within a line", () => {
      expect(quoted("a > b\na -> b")).to.deep.equal([]);
    });
  });

  it("takes linear time on 500,000 marks of any kind", function () {
    // A quadratic pattern would take an hour.
    this.timeout(120_000);
    for (const mark of [
      '"',
      "“",
      "”",
      "«",
      "»",
      "‘",
      "’",
      "'",
      "「",
      ' "',
      " “",
      ' "7" ',
      "> \n",
      '"\n\n',
      "“𝐀",
      "''a",
      " `a'",
      " <<a",
      "<<a>> ",
      "\n\n«\n\n»",
      "\n\n‘a",
    ]) {
      const text = mark.repeat(Math.ceil(500_000 / mark.length));
      const start = cpuTimeMs();
      quotations(text);
      expect(cpuTimeMs() - start, JSON.stringify(mark)).to.be.below(10_000);
    }
  });
});
