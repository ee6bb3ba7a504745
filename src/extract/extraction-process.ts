/** The program of the extractor's processes: it reads one file after another. */
import { answerRequests } from "../platform/child-pool/child-program.ts";
import { DomainError } from "../platform/domain-error.ts";
import { extractHtml, extractText } from "./extract-text.ts";
import { type ExtractionAnswer, ExtractionRequest, OcrSettings, RefusalCode } from "./extraction-messages.ts";

const ocr = OcrSettings.optional().parse(JSON.parse(process.argv[3] ?? "null") ?? undefined);

await answerRequests(async () => answer, Number(process.argv[2]));

/** @throws errors that are not the file's fault. */
async function answer(request: unknown): Promise<ExtractionAnswer> {
  const asked = ExtractionRequest.parse(request);
  try {
    if (asked.task === "html") return { kind: "html", html: await extractHtml(asked.bytes) };
    return { kind: "text", ...(await extractText(asked.bytes, asked.options, ocr)) };
  } catch (error) {
    const code = RefusalCode.safeParse(error instanceof DomainError ? error.code : undefined);
    if (!code.success || !(error instanceof DomainError)) throw error;
    return { kind: "refused", code: code.data, message: error.message };
  }
}
