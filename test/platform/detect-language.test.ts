import { expect } from "chai";
import fc from "fast-check";
import { languageOf } from "../../src/platform/detect-language.ts";
import { PARAGRAPHS } from "../support/work/paragraphs.ts";

const { en, de } = PARAGRAPHS;
const detected = (text: string) => languageOf(text, undefined);
const DEFAULT = { language: "en", languageOrigin: "default" };

describe("the language of a text", () => {
  for (const [language, text] of Object.entries(PARAGRAPHS)) {
    it(`is detected: ${language}`, () => {
      expect(detected(text)).to.deep.equal({ language, languageOrigin: "detected" });
    });
  }

  it("is Indonesian for Indonesian and Malay, which the detector does not tell apart", () => {
    const text =
      "Pelabuhan tua itu sepi sejak kapal terakhir berangkat ke pulau seberang. Para nelayan memperbaiki jala di bawah " +
      "pohon kelapa, sementara anak-anak mereka menunggu hujan berhenti supaya dapat bermain di pantai lagi.";
    expect(detected(text)).to.deep.equal({ language: "id", languageOrigin: "detected" });
  });

  it("is the stated one, even if the text is in another", () => {
    expect(languageOf(de, "fr")).to.deep.equal({ language: "fr", languageOrigin: "stated" });
  });

  it("is the default for a text of a sentence or two", () => {
    expect(detected("Am Sonntag fahren wir mit dem Zug ans Meer und baden.")).to.deep.equal(DEFAULT);
  });

  describe("of a manual page, with options, code and tables", () => {
    const option = (says: string, at: number) =>
      `       --level=${at}, -${at}  --out-file=/var/lib/demo/${at}.conf\n              ${says}\n\n` +
      `                  $ demo -v --level=${at} --exclude='*.tmp' --color=auto -- input.txt | sort -nr > /tmp/out.txt\n`;
    const page = (name: string, says: readonly string[]) =>
      `DEMO(1)                     User Commands                     DEMO(1)\n\n${name}\n       demo [--level=N] [-qv] [--out-file=FILE] FILE...\n\n` +
      `       #include <demo.h>\n       int demo_open(const char *path, int flags);\n\n${says.map(option).join("\n")}`;

    for (const [language, text] of Object.entries({
      zh: page("名称", [
        "设置压缩的级别，默认值是三。",
        "把结果写入这个文件，而不是标准输出。",
        "不要覆盖已经存在的文件。",
        "显示每个文件的名字和大小。",
        "遇到错误时继续处理其余的文件。",
      ]),
      ja: page("名前", [
        "圧縮の段階を指定する。既定値は三である。",
        "結果を標準出力ではなくこのファイルに書き出す。",
        "すでに存在するファイルは上書きしない。",
        "それぞれのファイルの名前と大きさを表示する。",
      ]),
      ru: page("ИМЯ", [
        "Задаёт степень сжатия, по умолчанию она равна трём.",
        "Записывает результат в этот файл, а не на стандартный вывод.",
        "Не перезаписывает файлы, которые уже существуют.",
        "Показывает имя и размер каждого файла.",
      ]),
      fr: page("NOM", [
        "Fixe le degré de compression, qui vaut trois quand rien n'est demandé par l'utilisateur.",
        "Écrit le résultat dans ce fichier plutôt que sur la sortie standard du programme.",
        "N'écrase jamais les fichiers qui existent déjà dans le répertoire de destination.",
        "Affiche le nom et la taille de chacun des fichiers qui ont été traités jusqu'ici.",
      ]),
      en: page("NAME", [
        "Sets the degree of compression, which is three unless somebody asks for another one.",
        "Writes the result into this file rather than to the standard output of the program.",
        "Never overwrites the files that already exist in the folder to which they would go.",
        "Shows the name and the size of each of the files that were processed until now.",
      ]),
    })) {
      it(`is the one of its sentences: ${language}`, () => {
        expect(detected(text)).to.deep.equal({ language, languageOrigin: "detected" });
      });
    }

    it("is the default for code alone", () => {
      const code = Array.from(
        { length: 40 },
        (_, at) => `if (demo_open(path_${at}, O_RDONLY) == -1) goto err${at};`,
      );
      expect(detected(code.join("\n"))).to.deep.equal(DEFAULT);
    });
  });

  it("is told by the script alone in a sentence or two, if it is used for one language", () => {
    for (const [language, text] of Object.entries({
      zh: "老港口在最后一班船离开以后就安静了，渔民们在树下修补渔网。",
      ja: "最後の船が島へ向かってから、古い港は静かになった。",
      ko: "마지막 배가 섬으로 떠난 뒤로 오래된 항구는 조용해졌다.",
      th: "ท่าเรือเก่าเงียบสงบหลังจากเรือลำสุดท้ายออกไปยังเกาะ",
      el: "Το παλιό λιμάνι ησύχασε αφού έφυγε το τελευταίο πλοίο για το νησί.",
    })) {
      expect(detected(text), text).to.deep.equal({ language, languageOrigin: "detected" });
    }
    expect(
      detected("Старый порт затих, когда последний корабль ушёл к острову."),
      "a script of many",
    ).to.deep.equal(DEFAULT);
    expect(detected("東京大学"), "a name").to.deep.equal(DEFAULT);
  });

  it("is Chinese for a Chinese text that quotes a Japanese name, and English for one that quotes Chinese", () => {
    const chinese =
      "这家名叫すし屋的餐馆开在老港口的旁边，每天早上都有渔民把新鲜的鱼送到厨房，客人们一边看海一边吃饭。";
    expect(detected(chinese.repeat(3))).to.include({ language: "zh" });
    expect(detected(`${en} The sign above the door says 老港口 in large letters. ${en}`)).to.include({
      language: "en",
    });
  });

  it("is the default for a text in two languages, and for one of which a quarter is in another still its own", () => {
    const half = `${en}\n\n`.repeat(8) + `${de}\n\n`.repeat(8);
    expect(detected(half)).to.deep.equal(DEFAULT);
    const most = `${de}\n\n`.repeat(40) + `${en}\n\n`.repeat(6);
    expect(detected(most)).to.include({ language: "de" });
  });

  it("is the default for words that belong to no language", () => {
    const letters = (alphabet: string) => fc.constantFrom(...alphabet);
    const syllable = fc
      .tuple(letters("bcdfghklmnprstvz"), letters("aeiou"))
      .map(([consonant, vowel]) => consonant + vowel);
    const code = fc.nat().map((number) => number.toString(36));
    const word = fc.oneof(
      fc.array(syllable, { minLength: 1, maxLength: 4 }).map((syllables) => syllables.join("")),
      code,
    );
    const text = fc.array(word, { minLength: 60, maxLength: 400 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, (words) => {
        expect(detected(words)).to.deep.equal(DEFAULT);
      }),
      { seed: 17, numRuns: 300 },
    );
  });

  it("is found in a text of any length and with any characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        expect(detected(text).languageOrigin).to.be.oneOf(["detected", "default"]);
      }),
      { seed: 18 },
    );
    const long = `${de}\n\n`.repeat(2_000);
    expect(detected(long)).to.include({ language: "de" });
  });
});
