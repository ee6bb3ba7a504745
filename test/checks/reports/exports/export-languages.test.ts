import { expect } from "chai";
import { extractText } from "../../../../src/extract/extract-text.ts";
import { textsIn } from "../../../../src/http/languages/catalogues.ts";
import { LANGUAGE_TAGS, type LanguageTag } from "../../../../src/http/languages/languages.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { useEngine } from "../../../support/use-engine.ts";
import { prose } from "../../../support/work/prose.ts";

/** Programs on the same machine may keep the process waiting. */
const TIMEOUT_MS = 180_000;

describe("reports: exports in the reader's language", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  let checkId: string;

  before(async () => {
    const copied = prose(1, 60);
    await engine.client.addDocument("source.txt", [prose(21, 40), copied].join("\n\n"), {
      title: "A source",
    });
    const report = await engine.client.checked([prose(11, 60), `“${copied}”`].join("\n\n"), {
      title: "A thesis",
    });
    checkId = report.check_id;
  });

  const get = async (name: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${engine.client.base}/v1/checks/${checkId}/${name}`, { headers });
    expect(answer.status, name).to.equal(200);
    return answer;
  };
  const htmlIn = async (query: string, headers?: Record<string, string>) =>
    (await get(`report.html${query}`, headers)).text();
  const pdfText = async (query: string) => {
    const bytes = new Uint8Array(await (await get(`report.pdf${query}`)).arrayBuffer());
    const options = { filename: "report.pdf", accept: ["application/pdf"] as const, textCharsMax: 1_000_000 };
    return (await extractText(bytes, options)).text.normalize("NFKC").replaceAll(/\s+/g, "");
  };

  it("are English without the parameter and without Accept-Language, also for a browser of another language", async () => {
    const english = await htmlIn("");
    expect(english)
      .to.match(/^<!doctype html>\n<html lang="en">/)
      .and.include("Similarity report");
    expect(await htmlIn("?language=en", { "Accept-Language": "de" })).to.equal(english);
    expect(await htmlIn("", { "Accept-Language": "sw" })).to.equal(english);
  });

  it("follow Accept-Language, and the parameter before it", async () => {
    const german = await get("report.html", { "Accept-Language": "de-CH" });
    expect(german.headers.get("Content-Language")).to.equal("de");
    expect(german.headers.get("Vary")).to.include("Accept-Language");
    expect(await german.text())
      .to.include('<html lang="de">')
      .and.include("Ähnlichkeitsbericht");
    const french = await get("report.html?language=fr", { "Accept-Language": "de" });
    expect(french.headers.get("Content-Language")).to.equal("fr");
  });

  it("as HTML, have no word of English left in German, and run from the right in Arabic", async () => {
    const german = await htmlIn("?language=de&exclude_quotes=true");
    const own = german.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, "\n");
    for (const word of [
      "Source",
      "Passage",
      "character",
      "without filters",
      "Checked",
      "Exclusions",
      "Submitted",
    ])
      expect(own).to.not.include(word);
    expect(own).to.include("Ohne Filter ist der Wert").and.include("Ausschlüsse");
    const arabic = await htmlIn("?language=ar");
    expect(arabic).to.include('<html lang="ar" dir="rtl">').and.include("تقرير التشابه");
  });

  it("as PDF, are in German, in Arabic letters and in every other language", async () => {
    const own = (tag: LanguageTag, key: "pdf.howToRead" | "pdf.sources") =>
      textsIn(tag).say(key).normalize("NFKC").replaceAll(/\s+/g, "");
    expect(await pdfText("?language=de"))
      .to.include(own("de", "pdf.howToRead"))
      .and.include("Ähnlichkeitsbericht");
    for (const tag of LANGUAGE_TAGS.filter((one) => one !== "ar" && one !== "hi"))
      expect(await pdfText(`?language=${tag}`), tag).to.include(own(tag, "pdf.sources"));
    expect(await pdfText("?language=ar")).to.match(/[\u0600-\u06ff]{4}/);
    expect(await pdfText("?language=hi")).to.match(/[\u0900-\u097f]{4}/);
  });

  it("refuse a language that they do not have", async () => {
    const path = `/v1/checks/${checkId}/report.html?language=xx`;
    await expectProblem(await engine.client.request(path), 422, "invalid-input", ["language"]);
  });
});
