import type { Part } from "../texts/parts.ts";
import { figure, type LatexLayout, marginNote, table } from "./latex.ts";
import type { OfficeLayout } from "./office.ts";

export type Layout = {
  readonly name: string;
  /** Rules are fitted on one half of the layouts; the other half only measures. */
  readonly part: Exclude<Part, "all">;
  readonly isGerman?: boolean;
} & ({ readonly latex: LatexLayout } | { readonly office: OfficeLayout });

const abstractOf = (text: string) => `\\begin{abstract}${text}\\end{abstract}`;

const floats = (number: number) =>
  number % 7 === 3 ? figure(number) : number % 7 === 6 ? table(number) : "";

const titlePage = (title: string, abstract: string) =>
  `\\thispagestyle{empty}\\begin{center}\\vspace*{5cm}{\\Huge ${title}\\par}\\vspace{2cm}{\\Large A thesis\\par}\\vspace{8cm}Submitted to the faculty\\end{center}\\clearpage\\pagenumbering{roman}\\chapter*{Summary}${abstract}\\tableofcontents\\clearpage\\pagenumbering{arabic}`;

export const LAYOUTS: readonly Layout[] = [
  {
    name: "article, two columns, wide abstract",
    part: "tune",
    latex: {
      documentClass: "[twocolumn,10pt]{article}",
      preamble:
        "\\usepackage{lmodern}\\usepackage{fancyhdr}\\pagestyle{fancy}\\fancyhead[L]{Everyday Studies}\\fancyhead[R]{Volume 12}\\sloppy",
      opening: (title, abstract) =>
        `\\title{${title}}\\author{A. Author}\\twocolumn[\\maketitle\\begin{quote}${abstract}\\end{quote}\\vspace{1cm}]\\thispagestyle{fancy}`,
      heading: "section",
    },
  },
  {
    name: "IEEEtran, two columns, drop cap, figures",
    part: "check",
    latex: {
      documentClass: "[journal]{IEEEtran}",
      preamble: "\\usepackage{graphicx}",
      opening: (title, abstract) =>
        `\\title{${title}}\\author{A.~Author, B.~Author}\\markboth{Journal of Everyday Work, Vol.~3, No.~2, June 2019}{Author \\MakeLowercase{\\textit{et al.}}: Everyday work}\\maketitle${abstractOf(abstract)}`,
      heading: "section",
      beside: floats,
      dropCap: (first, rest) => rest.replace(/^(\S*)/, (word) => `\\IEEEPARstart{${first}}{${word}}`),
    },
  },
  {
    name: "thesis, one column, chapters, contents",
    part: "tune",
    latex: {
      documentClass: "[11pt,a4paper]{report}",
      preamble: "\\usepackage{lmodern}\\usepackage{fancyhdr}\\pagestyle{fancy}",
      opening: titlePage,
      heading: "chapter",
      beside: floats,
    },
  },
  {
    name: "thesis in KOMA-Script, two-sided, notes in the margin",
    part: "check",
    latex: {
      documentClass: "[11pt,twoside,headings=small]{scrbook}",
      preamble: "\\usepackage{lmodern}\\usepackage{microtype}\\usepackage{scrlayer-scrpage}\\clubpenalty=150",
      opening: titlePage,
      heading: "chapter",
      beside: (number) => (number % 4 === 1 ? marginNote(number) : floats(number)),
    },
  },
  {
    name: "LibreOffice, thesis, header, footnotes",
    part: "tune",
    office: { columns: 1, isJustified: true, lineSpacing: 1.5, isIndented: false },
  },
  {
    name: "LibreOffice, two columns, ragged",
    part: "check",
    office: { columns: 2, isJustified: false, lineSpacing: 1, isIndented: true },
  },
  {
    name: "manuscript, double spacing, line numbers",
    part: "tune",
    latex: {
      documentClass: "[review,12pt]{elsarticle}",
      preamble: "\\usepackage{lmodern}\\usepackage{lineno}\\linenumbers\\journal{Everyday Work}",
      opening: (title, abstract) =>
        `\\begin{frontmatter}\\title{${title}}\\author{A. Author}${abstractOf(abstract)}\\end{frontmatter}`,
      heading: "section",
    },
  },
  {
    name: "acmart, two columns, line numbers on both sides",
    part: "check",
    latex: {
      documentClass: "[sigconf,review,nonacm]{acmart}",
      preamble: "\\usepackage{lmodern}",
      opening: (title, abstract) =>
        `\\title{${title}}\\author{A. Author}\\affiliation{\\institution{Institute}\\city{Town}\\country{Land}}${abstractOf(abstract)}\\maketitle`,
      heading: "section",
      beside: floats,
    },
  },
  {
    name: "three columns, figures, ligatures",
    part: "tune",
    latex: {
      documentClass: "[9pt]{extarticle}",
      preamble:
        "\\usepackage{lmodern}\\usepackage[margin=15mm]{geometry}\\usepackage{multicol}\\usepackage{fancyhdr}\\pagestyle{fancy}\\rhead{The Gazette}",
      opening: (title, abstract) => `\\title{${title}}\\author{A. Author}\\maketitle${abstractOf(abstract)}`,
      heading: "section",
      around: ["\\begin{multicols}{3}", "\\end{multicols}"],
      beside: (number) => (number % 9 === 4 ? figure(number, true) : ""),
    },
  },
  {
    name: "three columns, ragged, watermark, drop cap",
    part: "check",
    latex: {
      documentClass: "[10pt]{article}",
      preamble:
        "\\usepackage{mathptmx}\\usepackage[margin=18mm,landscape]{geometry}\\usepackage{multicol,ragged2e,lettrine,draftwatermark}\\SetWatermarkText{DRAFT}\\SetWatermarkScale{1}\\setlength{\\columnseprule}{.4pt}",
      opening: (title, abstract) => `\\title{${title}}\\author{A. Author}\\maketitle${abstractOf(abstract)}`,
      heading: "section",
      around: ["\\begin{multicols}{3}\\RaggedRight\\hyphenpenalty=20 ", "\\end{multicols}"],
      dropCap: (first, rest) => rest.replace(/^(\S*)/, (word) => `\\lettrine[lines=3]{${first}}{${word}}`),
    },
  },
  {
    name: "German thesis, narrow, notes in the margin",
    part: "tune",
    isGerman: true,
    latex: {
      documentClass: "[11pt,a5paper,ngerman]{scrreprt}",
      preamble: "\\usepackage{babel}\\usepackage{lmodern}\\usepackage{scrlayer-scrpage}",
      opening: titlePage,
      heading: "section",
      beside: (number) => (number % 4 === 1 ? marginNote(number) : ""),
    },
  },
  {
    name: "memoir, ragged, line numbers, paragraphs apart",
    part: "check",
    latex: {
      documentClass: "[12pt,oneside]{memoir}",
      preamble:
        "\\usepackage{lmodern}\\usepackage{lineno}\\modulolinenumbers[5]\\linenumbers\\usepackage{ragged2e}\\setlength{\\parindent}{0pt}\\nonzeroparskip\\OnehalfSpacing\\usepackage{draftwatermark}\\SetWatermarkText{SUBMITTED}",
      opening: titlePage,
      heading: "section",
      around: ["\\RaggedRight\\hyphenpenalty=20 ", ""],
      beside: floats,
    },
  },
];
