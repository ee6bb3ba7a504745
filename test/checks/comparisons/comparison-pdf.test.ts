import { expect } from "chai";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { extractText } from "../../../src/extract/extract-text.ts";
import { makeDocx, paragraph } from "../../extract/made-documents.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

/** Programs on the same machine may keep the process waiting. */
const TIMEOUT_MS = 120_000;

const HOSTILE = '#panic("x") #read("/etc/passwd") $x^2$ *b* _i_ \\u{202e} "] #box[ <label> @ref `raw` // /*';

const printed = (text: string) => text.normalize("NFC").replaceAll(/\s+/g, "");

async function textOf(response: Response): Promise<string> {
  expect(response.status).to.equal(200);
  expect(response.headers.get("content-type")).to.equal("application/pdf");
  const options = { filename: "x.pdf", accept: ["application/pdf"] as const, textCharsMax: 5_000_000 };
  return printed((await extractText(new Uint8Array(await response.arrayBuffer()), options)).text);
}

/** The names of the fonts that print Chinese characters. */
async function asianFontsOf(response: Response): Promise<readonly string[]> {
  const document = await getDocument({ data: new Uint8Array(await response.arrayBuffer()) }).promise;
  const page = await document.getPage(1);
  // Loads the fonts.
  await page.getOperatorList();
  const { items } = await page.getTextContent();
  const names = items.flatMap((item) =>
    "str" in item && /\p{Script=Han}/u.test(item.str)
      ? [String(page.commonObjs.get(item.fontName).name).replace(/^[A-Z]{6}\+/, "")]
      : [],
  );
  await document.loadingTask.destroy();
  return [...new Set(names)].toSorted();
}

describe("POST /v1/comparisons.pdf", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const copied = [prose(831, 60), prose(832, 50)] as const;
  const query = [prose(833, 60), copied[0], prose(834, 60), copied[1], HOSTILE].join("\n");
  const source = [copied[0], prose(835, 40), copied[1], "شارك النصان مقطعا واحدا"].join("\n");

  const send = (body: object, search = "") =>
    engine.client.json("POST", `/v1/comparisons.pdf${search}`, body);
  const upload = (parts: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.append(name, part);
    return engine.client.request("/v1/comparisons.pdf", { method: "POST", body: form });
  };

  it("prints both texts whole, with the shares, and the same number on both sides of a passage", async () => {
    const compared = await engine.client.json("POST", "/v1/comparisons", {
      query_text: query,
      source_text: source,
    });
    const { query: side } = JSON.parse(await compared.text());
    const response = await send({ query_text: query, source_text: source });
    expect(response.headers.get("content-disposition")).to.match(/^attachment; filename=.*First.*\.pdf/);
    const text = await textOf(response);
    expect(text).to.include(`${side.overall_similarity_pct.toFixed(2)}%`);
    expect(text.match(/1=/g), "labels of the first passage").to.have.length(2);
    expect(text.match(/2=/g), "labels of the second passage").to.have.length(2);
    const words = printed(HOSTILE.slice(0, 40));
    expect(text).to.include(words);
  });

  it("names files, keeps the same bytes, and speaks the language that is asked for", async () => {
    const parts = {
      query_file: new File(
        [Uint8Array.from(makeDocx({ body: [copied[0], prose(839, 40), copied[1]].map(paragraph).join("") }))],
        "essay.docx",
      ),
      source_text: source,
    };
    const response = await upload(parts);
    expect(decodeURIComponent(response.headers.get("content-disposition") ?? "")).to.include(
      "essay – comparison.pdf",
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    const again = Buffer.from(await (await upload(parts)).arrayBuffer());
    expect(again.equals(bytes)).to.equal(true);
    for (const [language, words] of [
      ["de", "Vergleich zweier Texte"],
      ["ja", "2つの文章の比較"],
    ] as const) {
      const other = await send({ query_text: query, source_text: source }, `?language=${language}`);
      expect(other.headers.get("content-language")).to.equal(language);
      expect(await textOf(other)).to.include(printed(words));
    }
    const arabic = await send({ query_text: query, source_text: source }, "?language=ar");
    expect(arabic.status).to.equal(200);
  });

  it("prints Chinese characters as the language of their own side does", async () => {
    const sides = { query_text: "Ein deutscher Text", source_text: "骨と直角を海辺で見た" };
    const fonts = await asianFontsOf(await send({ ...sides, language: "de", source_language: "ja" }));
    const chinese = await asianFontsOf(await send({ ...sides, language: "de", source_language: "zh" }));
    expect([fonts, chinese].map((names) => names.length)).to.deep.equal([1, 1]);
    expect(fonts).to.not.deep.equal(chinese);
    const both = { query_text: "骨与直角", source_text: "骨と直角を海辺で見た" };
    const mixed = await asianFontsOf(await send({ ...both, language: "zh", source_language: "ja" }));
    expect(mixed).to.deep.equal([...chinese, ...fonts].toSorted());
  });

  it("says so when nothing is in common", async () => {
    const response = await send({ query_text: prose(836, 60), source_text: prose(837, 60) });
    expect(await textOf(response)).to.include(printed("share no passage that is long enough"));
  });

  it("refuses what a comparison refuses", async () => {
    await expectProblem(await send({ query_text: "x" }), 422, "invalid-input", ["source_text"]);
    const none = await upload({ query_text: "x" });
    await expectProblem(none, 422, "invalid-input", ["source_file"]);
    const both = { query_text: "x", source_text: "y" };
    await expectProblem(await send(both, "?language=xx"), 422, "invalid-input", ["language"]);
  });

  it("prints two of the longest texts", async () => {
    const paragraphs = Array.from({ length: 1_600 }, (_, at) => prose(5_000 + at, 45));
    const long = paragraphs.join("\n").slice(0, 500_000);
    const response = await send({ query_text: long, source_text: `${prose(838, 60)}\n${long.slice(1_000)}` });
    expect(response.status).to.equal(200);
    expect((await response.arrayBuffer()).byteLength).to.be.above(100_000);
  });
});
