import { type Html, html } from "../../http/html.ts";
import type { Texts } from "./texts.ts";

/** Placeholder for the address of the instance: the page is rendered once for all hosts. */
export const ORIGIN = "https://origin.invalid";

/** A program that reads an address. Its language has the same name in all languages of the page. */
type Sample = {
  readonly language: string;
  /** The code before the address, and the code after it. */
  readonly json: readonly [string, string];
  /** The same for an answer in CSV. */
  readonly csv: readonly [string, string];
};

const CURL: Sample = { language: "curl", json: ["curl '", "'"], csv: ["curl '", "'"] };

const SAMPLES: readonly Sample[] = [
  CURL,
  {
    language: "JavaScript",
    json: [
      'const response = await fetch("',
      '");\nconst { meta, data } = await response.json();\nconsole.log(meta.attribution);\nconsole.log(data);',
    ],
    csv: ['const response = await fetch("', '");\nconst csv = await response.text();\nconsole.log(csv);'],
  },
  {
    language: "Python",
    json: [
      'import json\nfrom urllib.request import urlopen\n\nwith urlopen("',
      '") as response:\n    answer = json.load(response)\n\nprint(answer["meta"]["attribution"])\nprint(answer["data"])',
    ],
    csv: [
      'import csv\nfrom urllib.request import urlopen\n\nwith urlopen("',
      '") as response:\n    lines = response.read().decode("utf-8").splitlines()\n\nfor row in csv.DictReader(lines):\n    print(row)',
    ],
  },
];

/**
 * Programs that request a path, listed one below the other; the page's script turns them into tabs. With `hasCsv`, each has
 * a CSV variant, which the script shows when CSV is selected.
 */
export function samples(texts: Texts, { path, hasCsv }: { path: string; hasCsv: boolean }): Html {
  const groups = SAMPLES.map(
    (sample) => html`<div class="sample" data-language="${sample.language}">
<p class="sample-language" translate="no">${sample.language}</p>
${snippet(texts, sample.json, path, "json")}${hasCsv ? snippet(texts, sample.csv, path, "csv") : ""}
</div>`,
  );
  return html`<div class="samples" dir="ltr">${groups}</div>`;
}

/** The shortest request, for a terminal. */
export function curlSample(texts: Texts, path: string): Html {
  return html`<div class="sample" dir="ltr">${snippet(texts, CURL.json, path, "json")}</div>`;
}

/** Text with a button that copies it. */
export function snippetOf(texts: Texts, content: Html): Html {
  return html`<div class="snippet" dir="ltr"><pre translate="no"><code>${content}</code></pre><button type="button" class="copy" lang="${texts.language.locale}" dir="${texts.language.direction}" hidden>${texts.page.copy}</button></div>`;
}

function snippet(
  texts: Texts,
  [before, after]: readonly [string, string],
  path: string,
  format: "json" | "csv",
): Html {
  const address = format === "csv" ? `${path}?format=csv` : path;
  const content = html`${before}<span data-address>${ORIGIN}${address}</span>${after}`;
  return html`<div data-format="${format}"${format === "csv" ? html` hidden` : ""}>${snippetOf(texts, content)}</div>`;
}
