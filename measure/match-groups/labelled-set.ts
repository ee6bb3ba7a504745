import type { MatchGroup } from "../../src/report/figures/match-groups.ts";
import type { Span } from "../../src/text/span.ts";
import { type Half, type Language, TEXTS, type Texts } from "./texts.ts";

/** A passage of a document, with the group that its author's acknowledgement puts it into. */
export type LabelledPassage = {
  readonly query: Span;
  readonly source: { readonly documentId: string; readonly title: string; readonly filename: string };
  readonly group: Exclude<MatchGroup, "unsure">;
  /** The wording that acknowledges it. */
  readonly form: string;
};

export type LabelledDocument = {
  readonly style: Style;
  readonly language: Language;
  readonly text: string;
  readonly passages: readonly LabelledPassage[];
};

export const STYLES = ["APA", "MLA", "Chicago notes", "IEEE", "Harvard and German footnotes"] as const;
export type Style = (typeof STYLES)[number];

const LANGUAGES = ["en", "de", "fr", "es"] as const;

/** One document for each style and language, with eleven passages each. */
export function labelledDocuments(half: Half): LabelledDocument[] {
  return STYLES.flatMap((style, styleAt) =>
    LANGUAGES.map((language, languageAt) =>
      documentOf({ half, style, language, turn: styleAt + languageAt, texts: TEXTS[half][language] }),
    ),
  );
}

type Plan = {
  readonly half: Half;
  readonly style: Style;
  readonly language: Language;
  /** Varies the wordings from document to document. */
  readonly turn: number;
  readonly texts: Texts;
};

/** What stands at a copied sentence: before it, behind it, after the sentence and in a note. `{}` in `around` is the sentence. */
type Wording = { readonly around: string; readonly note?: string };

/** The groups of the passages of a document; one in two passages is not acknowledged at all. */
const GROUPS: readonly LabelledPassage["group"][] = [
  "neither",
  "quoted_and_cited",
  "neither",
  "cited_without_quotation_marks",
  "quoted_without_source",
  "neither",
  "cited_without_quotation_marks",
  "neither",
  "quoted_and_cited",
  "neither",
  "cited_without_quotation_marks",
];

const BIBLIOGRAPHY: Readonly<Record<Language, string>> = {
  en: "References",
  de: "Literaturverzeichnis",
  fr: "Bibliographie",
  es: "Bibliografía",
};

const PAGE: Readonly<Record<Language, string>> = { en: "p.", de: "S.", fr: "p.", es: "p." };
const MARKS: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  en: [
    ["“", "”"],
    ['"', '"'],
  ],
  de: [
    ["„", "“"],
    ["»", "«"],
  ],
  fr: [
    ["« ", " »"],
    ["“", "”"],
  ],
  es: [
    ["«", "»"],
    ["“", "”"],
  ],
};

function documentOf(plan: Plan): LabelledDocument {
  const { half, style, language, turn, texts } = plan;
  const notes: string[] = [];
  const passages: LabelledPassage[] = [];
  let text = "";
  for (const [at, group] of GROUPS.entries()) {
    const index = (at + turn) % texts.copied.length;
    const copied = texts.copied[index] ?? "";
    const wording = wordingOf(plan, group, at, index);
    const mark = notes.length + 1;
    if (wording.note !== undefined) notes.push(wording.note.replace("#", String(mark)));
    const [before = "", behind = ""] = wording.around
      .replaceAll("#", style === "IEEE" ? String(index + 1) : String(mark))
      .split("{}");
    const own = (step: number) => texts.own[(at + turn + step) % texts.own.length] ?? "";
    // An unacknowledged passage may stand some sentences away from a citation of another work.
    const other =
      group === "neither" && at % 4 === 1 ? ` ${own(2)} ${own(3)} ${citedSentence(plan, index)}` : "";
    const lead = `${own(0)} ${before}`;
    const start = text.length + lead.length;
    const body = behind.startsWith("…") ? copied.slice(0, -1) : copied;
    text += `${lead}${body}${behind.replace(/^…/, "")} ${own(1)}${other}\n\n`;
    passages.push({
      query: { start, end: start + body.length },
      source: sourceOf(texts, index),
      group,
      form: wording.around,
    });
  }
  if (notes.length > 0) text += `${notes.join("\n")}\n\n`;
  const hasBibliography =
    style === "IEEE" || (turn % 3 !== 0 && half === "fit") || (turn % 3 !== 1 && half === "report");
  if (hasBibliography) {
    const entries = texts.works.map((_, index) => entryOf(style, texts, index)).join("\n");
    text += `${BIBLIOGRAPHY[language]}\n\n${entries}\n`;
  }
  return { style, language, text, passages };
}

/** Every third source has a file's name in place of a title. */
function sourceOf({ works }: Texts, index: number): LabelledPassage["source"] {
  const [surname = "", , title = ""] = works[index] ?? [];
  const filename = `${surname.toLowerCase()}${yearOf(index)}.pdf`;
  return {
    documentId: surname,
    title: index % 3 === 2 ? `scan-${index}.pdf` : title,
    filename: index % 3 === 2 ? `scan-${index}.pdf` : filename,
  };
}

const yearOf = (index: number): number => 1988 + 4 * index;
const pageOf = (index: number): number => 12 + 17 * index;

function citedSentence({ style, texts, language, half }: Plan, index: number): string {
  const other = (index + 3) % texts.works.length;
  const [surname = ""] = texts.works[other] ?? [];
  const sentence = texts.own[half === "fit" ? 4 : 5]?.slice(0, -1) ?? "";
  if (style === "IEEE") return `${sentence} [${other + 1}].`;
  return `${sentence} (${surname} ${yearOf(other)}, ${PAGE[language]} ${pageOf(other)}).`;
}

function entryOf(style: Style, { works }: Texts, index: number): string {
  const [surname = "", first = "", title = ""] = works[index] ?? [];
  const initial = `${first[0] ?? ""}.`;
  const year = yearOf(index);
  const pages = `${pageOf(index)}–${pageOf(index) + 20}`;
  switch (style) {
    case "APA":
      return `${surname}, ${initial} (${year}). ${title}. Regional Journal, 12(3), ${pages}.`;
    case "MLA":
      return `${surname}, ${first}. “${title}.” Regional Journal, vol. 12, no. 3, ${year}, pp. ${pages}.`;
    case "Chicago notes":
      return `${surname}, ${first}. “${title}.” Regional Journal 12, no. 3 (${year}): ${pages}.`;
    case "IEEE":
      return `[${index + 1}] ${initial} ${surname}, “${title},” Regional Journal, vol. 12, no. 3, pp. ${pages}, ${year}.`;
    case "Harvard and German footnotes":
      return `${surname}, ${first} (${year}): ${title}. In: Regional Journal 12, H. 3, S. ${pages}.`;
  }
}

function wordingOf(plan: Plan, group: LabelledPassage["group"], at: number, index: number): Wording {
  const { half, language, turn } = plan;
  const [open = "", close = ""] = MARKS[language][(half === "fit" ? 0 : 1) ^ (at % 2)] ?? [];
  if (group === "neither") return { around: "{}" };
  if (group === "quoted_without_source") return { around: `${open}{}${close}` };
  const forms = FORMS[half][plan.style](factsOf(plan, index));
  const form = forms[(at + turn) % forms.length] ?? { around: "{}" };
  if (group === "cited_without_quotation_marks") return form;
  // The mark of the end stands inside the quotation; a citation follows it.
  const around = form.around.includes("{}…")
    ? form.around.replace("{}…", `${open}{}…${close}`)
    : form.around.replace("{}", `${open}{}${close}`);
  return { ...form, around };
}

type Facts = {
  readonly name: string;
  readonly first: string;
  readonly title: string;
  readonly year: number;
  readonly page: number;
  readonly p: string;
  readonly say: Sayings;
};

type Sayings = {
  readonly finds: string;
  readonly and: string;
  readonly see: string;
  readonly again: string;
  readonly shown: string;
};

/** Wordings of both halves differ: the first is of the half for fitting. */
const SAYINGS: Readonly<Record<Language, readonly [Sayings, Sayings]>> = {
  en: [
    {
      finds: "reports the following:",
      and: "and",
      see: "cf.",
      again: "Ibid.",
      shown: "This was first shown by",
    },
    {
      finds: "puts it in one sentence:",
      and: "&",
      see: "see",
      again: "Ibid.",
      shown: "The observation goes back to",
    },
  ],
  de: [
    { finds: "stellt fest:", and: "und", see: "vgl.", again: "Ebd.", shown: "Dies zeigte zuerst" },
    {
      finds: "fasst zusammen:",
      and: "u.",
      see: "siehe",
      again: "Ebenda",
      shown: "Die Beobachtung stammt von",
    },
  ],
  fr: [
    { finds: "constate ceci :", and: "et", see: "cf.", again: "Ibid.", shown: "C'est ce qu'a montré" },
    { finds: "résume ainsi :", and: "et", see: "voir", again: "Ibidem", shown: "L'observation remonte à" },
  ],
  es: [
    { finds: "constata lo siguiente:", and: "y", see: "cf.", again: "Ibíd.", shown: "Así lo mostró" },
    { finds: "lo resume así:", and: "y", see: "véase", again: "Ibídem", shown: "La observación procede de" },
  ],
};

function factsOf({ half, language, texts }: Plan, index: number): Facts {
  const [name = "", first = "", title = ""] = texts.works[index] ?? [];
  const say = SAYINGS[language][half === "fit" ? 0 : 1];
  return { name, first, title, year: yearOf(index), page: pageOf(index), p: PAGE[language], say };
}

type Forms = (facts: Facts) => readonly Wording[];

const raised = (facts: Facts, text: string, mark: string): Wording => ({
  around: mark,
  note: text.replace("@", facts.name),
});

const FORMS: Readonly<Record<Half, Readonly<Record<Style, Forms>>>> = {
  fit: {
    APA: ({ name, year, page, p, say }) => [
      { around: `{}… (${name}, ${year}, ${p} ${page}).` },
      { around: `${name} (${year}) ${say.finds} {}` },
      { around: `{} (${say.see} ${name}, ${year})` },
      { around: `{} ${say.shown} ${name} (${year}, ${p} ${page}).` },
    ],
    MLA: ({ name, page, title, say }) => [
      { around: `{}… (${name} ${page}).` },
      { around: `${name} ${say.finds} {}… (${page}).` },
      { around: `{} (${name} ${page}–${page + 1})` },
      { around: `{}… (“${title}” ${page}).` },
      { around: `{}… (${name}, ${title} ${page}).` },
    ],
    "Chicago notes": (facts) => [
      raised(
        facts,
        `#. ${facts.first} @, “${facts.title},” Regional Journal 12 (${facts.year}): ${facts.page}.`,
        "{}#",
      ),
      { around: "{}[^#]", note: `[^#]: ${facts.first} ${facts.name}, ${facts.title}, ${facts.page}.` },
      raised(facts, `#. ${facts.say.again}, ${facts.page}.`, "{}#"),
      {
        around: `${facts.first} ${facts.name}[^#] ${facts.say.finds} {}`,
        note: `[^#]: “${facts.title},” ${facts.p} ${facts.page}.`,
      },
      {
        around: `${facts.say.see} ${facts.name}:# {}`,
        note: `# ${facts.title}, ${facts.year}, ${facts.page}.`,
      },
    ],
    IEEE: ({ name, say, page, p }) => [
      { around: "{}… [#]." },
      { around: `${name} [#] ${say.finds} {}` },
      { around: `{}… [#, ${p} ${page}].` },
    ],
    "Harvard and German footnotes": ({ name, year, page, p, say, title }) => [
      { around: `{}… (${name} ${year}: ${page}).` },
      { around: `{}… (${say.see} ${name} ${year}, ${p} ${page}).` },
      {
        around: "{}#",
        note: `# ${say.see[0]?.toUpperCase()}${say.see.slice(1)} ${name}, ${title}, ${p} ${page}.`,
      },
    ],
  },
  report: {
    APA: ({ name, year, page, p, say }) => [
      { around: `{}… (${say.see} ${name}, ${year}, ${p}${p}. ${page}–${page + 2}).`.replace(`${p}${p}.`, p) },
      { around: `{}… (${name} ${say.and} Tarrant, ${year}b; Umfreville, 2004).` },
      { around: `${name} et al. (${year}, ${p} ${page}) ${say.finds} {}` },
      { around: `{} (${name}, ${year}).` },
      { around: `{} ${say.shown} ${name} (${year}).` },
      { around: `{}… [${name}, ${year}].` },
    ],
    MLA: ({ name, page, title, say }) => [
      { around: `{}… (${name}, “${title}” ${page}).` },
      { around: `{}… (${name} ${say.and} Tarrant ${page}).` },
      { around: `${name} ${say.finds} {}… (${page}–${page + 1}).` },
      { around: `{} (${name} ${page}).` },
      { around: `{}… (qtd. in ${name} ${page}).` },
    ],
    "Chicago notes": (facts) => [
      {
        around: "{}#",
        note: `# ${facts.first} ${facts.name}, ${facts.title} (London: Tarrant Press, ${facts.year}), ${facts.page}–${facts.page + 1}.`,
      },
      { around: "{}[^#]", note: `[^#]: ${facts.name}, “${facts.title},” ${facts.page}.` },
      { around: "{}#", note: `#. ${facts.say.again}, ${facts.p} ${facts.page}.` },
      {
        around: `${facts.name}# ${facts.say.finds} {}`,
        note: `#. ${facts.first} ${facts.name}, ${facts.title}, ${facts.year}, ${facts.p} ${facts.page}.`,
      },
    ],
    IEEE: ({ name, say }) => [
      { around: "{}… [#], [31]." },
      { around: `${say.see} [#]: {}` },
      { around: "{} [#]" },
      { around: `${name} et al. [#] ${say.finds} {}` },
      { around: "{}… [30–#]." },
    ],
    "Harvard and German footnotes": ({ name, year, page, p, say, title }) => [
      { around: `{}… (${name} ${year}, ${page} f.).` },
      { around: `{}… (${name}/Tarrant ${year}a, ${p} ${page}ff.).` },
      { around: "{}#", note: `# ${name}: ${title}, ${year}, ${p} ${page}.` },
      { around: `{}… (${say.again.toLowerCase()}, ${p} ${page}).` },
      { around: `{} (${say.see} ${name} ${year})` },
    ],
  },
};
