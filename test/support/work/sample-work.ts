import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import type { EngineClient } from "../client.ts";
import { makeEssay, makePaper } from "./sample-files.ts";

/** What a look at the pages needs: documents, and checks of every sort. */
export type SampleWork = {
  readonly documentIds: readonly string[];
  readonly checkIds: readonly string[];
  /** Checks of a paper as PDF and of an essay as DOCX. */
  readonly pdfCheckId: string;
  readonly docxCheckId: string;
};

const DOCUMENTS = 46;
const CHECKS = 24;

/** Paragraphs that stand in no article. */
const OWN_WORDS = [
  "I set out to understand how the question was treated before the war, and found that the sources disagree on almost every point that matters.",
  "None of this is settled. The dates are uncertain, the witnesses were few, and what they wrote down was meant for readers who knew the rest.",
  "What follows is my own reading of it; where I lean on others I have tried to say so, and where I could not decide I have left both accounts.",
];

const TITLES = [
  "Seminar paper, second draft",
  "Thesis chapter 3: sources and method",
  "<script>alert(1)</script> <b>as typed by a student</b> & co.",
  "مقال عن تاريخ المدينة القديمة",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2),
  "Essay 👩🏽‍🎓 with é and ﬁne ligatures",
  "論文の下書き",
];

/** Uploads articles and checks texts that copy from them, with titles that pages find hard. */
export async function addSampleWork(
  client: EngineClient,
  articles: readonly SampleArticle[],
): Promise<SampleWork> {
  const documentIds: string[] = [];
  const sources = articles.slice(0, DOCUMENTS);
  for (const { title, text, filename, sourceUrl } of sources) {
    const document = await client.addDocument(filename, text, { title, source_url: sourceUrl });
    documentIds.push(document.document_id);
  }
  const submitFile = async (name: string, content: Uint8Array) =>
    (await client.checkedFile(name, content)).check_id;
  const title = "On sources that disagree";
  const pdfCheckId = await submitFile(
    "paper-on-sources.pdf",
    await makePaper({ title, paragraphs: [0, 1, 2].flatMap((number) => composed(sources, number)) }),
  );
  const docxCheckId = await submitFile("essay.docx", makeEssay({ title, paragraphs: composed(sources, 5) }));
  const checkIds: string[] = [];
  for (let index = CHECKS - 1; index >= 0; index--) {
    const title = TITLES[index];
    const checkId = await client.submit(
      composed(sources, index).join("\n\n"),
      title === undefined ? {} : { title },
    );
    await client.ended(checkId);
    checkIds.unshift(checkId);
  }
  return { documentIds, checkIds, pdfCheckId, docxCheckId };
}

/** The paragraphs of a text of the writer's own with some paragraphs of others in between; the later the number, the fewer. */
function composed(sources: readonly SampleArticle[], number: number): string[] {
  const borrowed = Math.max(0, 6 - Math.floor(number / 3));
  const parts = Array.from({ length: 8 }, (_, part) => {
    const own = OWN_WORDS[(part + number) % OWN_WORDS.length] ?? "";
    const source = sources[(number * 7 + part * 3) % sources.length];
    const paragraph = source?.text.split("\n\n").find((one) => one.length > 300) ?? "";
    return part < borrowed ? [own, paragraph] : [own];
  });
  return parts.flat();
}
