import { createHash } from "node:crypto";
import { Html, html } from "../../../http/html.ts";
import type { ComparePassages } from "./compare-passages.ts";
import { markedText } from "./marked-text.ts";
import { overview, reportTitle, sourceList } from "./overview.ts";
import { passagesBesideSources } from "./passages.ts";
import type { WireReport } from "./report-marks.ts";
import { STYLES } from "./styles.ts";

/** Parts are sent together until they have this length: small ones would each be a chunk of the answer. */
const CHUNK_LENGTH = 64 * 1024;

const STYLES_ALLOWED = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLES).digest("base64")}'`;
const CLOSED = "base-uri 'none'; form-action 'none'";

/** What a browser may do with the file: show it in its own style. It stands in the file too, for when it is saved. */
export const REPORT_POLICY = `${STYLES_ALLOWED}; ${CLOSED}; frame-ancestors 'none'`;

/**
 * A report as a document that holds all it needs: no script, no other file. Every text in it is put in as text.
 * @param report with offsets in UTF-16
 */
export async function* reportHtml(report: WireReport, compare: ComparePassages): AsyncGenerator<string> {
  let chunk = "";
  for await (const part of parts(report, compare)) {
    chunk += part.toString();
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

async function* parts(report: WireReport, compare: ComparePassages): AsyncGenerator<Html> {
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${STYLES_ALLOWED}; ${CLOSED}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${reportTitle(report)} · Similarity report</title>
`;
  yield new Html(`<style>${STYLES}</style>`);
  yield html`</head>
<body>
<main>
${overview(report)}${sourceList(report)}`;
  yield* markedText(report);
  yield* passagesBesideSources(report, compare);
  yield html`</main>
<footer>
<p>A match says that a passage stands in another document too. Whether it is plagiarism is for people to judge: quotations, set phrases and common sources match as well.</p>
<p>Made by Similarity Check. Check ${report.check_id}.</p>
</footer>
</body>
</html>
`;
}
