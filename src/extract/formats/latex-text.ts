import { latexParser } from "latex-utensils";

/** Commands whose arguments are no text: names, lengths, definitions. */
const NO_TEXT = new Set(
  [
    "begin end cite citep citet citeauthor citeyear parencite textcite autocite footcite nocite bibliography bibliographystyle addbibresource",
    "printbibliography documentclass usepackage RequirePackage input include includeonly includegraphics graphicspath vspace hspace",
    "setlength addtolength setcounter addtocounter newcounter newcommand renewcommand providecommand newenvironment renewenvironment",
    "newtheorem theoremstyle DeclareMathOperator DeclareMathSymbol pagestyle thispagestyle pagenumbering index hypersetup definecolor color",
    "newlength fontsize selectfont linespread hyphenation geometry title author date email orcid institute affil affiliation keywords",
    "pageref cref Cref vref nameref captionsetup lstset sisetup tikzset pgfplotsset usetikzlibrary makeatletter makeatother rule",
  ]
    .join(" ")
    .split(" "),
);

/** Environments without text that a reader would quote. */
const NO_TEXT_ENVIRONMENT =
  /^(?:equation|eqnarray|align|gather|multline|flalign|displaymath|math|tikzpicture|pgfpicture|thebibliography|comment|filecontents)\*?$/;

/** Commands that begin and end a paragraph. */
const BLOCK = /^(?:part|chapter|(?:sub)*section|(?:sub)?paragraph|caption|item|par|maketitle|title)\*?$/;

const NOTE = new Set(["footnote", "footnotetext", "thanks", "endnote"]);

/** Accents over the letter that follows, as combining characters. */
const ACCENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      "'": "\u0301",
      "`": "\u0300",
      "^": "\u0302",
      '"': "\u0308",
      "~": "\u0303",
      "=": "\u0304",
      ".": "\u0307",
    },
    ...{
      c: "\u0327",
      v: "\u030c",
      H: "\u030b",
      u: "\u0306",
      k: "\u0328",
      r: "\u030a",
      d: "\u0323",
      b: "\u0331",
    },
  }),
);

const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      ss: "ß",
      ae: "æ",
      AE: "Æ",
      oe: "œ",
      OE: "Œ",
      o: "ø",
      O: "Ø",
      l: "ł",
      L: "Ł",
      aa: "å",
      AA: "Å",
      i: "ı",
      j: "ȷ",
    },
    ...{
      "&": "&",
      "%": "%",
      $: "$",
      "#": "#",
      _: "_",
      "{": "{",
      "}": "}",
      ",": " ",
      ";": " ",
      ":": " ",
      " ": " ",
      "-": "",
    },
    ...{
      ldots: "…",
      dots: "…",
      textquoteright: "’",
      textquoteleft: "‘",
      textquotedblleft: "“",
      textquotedblright: "”",
    },
    ...{
      textendash: "–",
      textemdash: "—",
      quad: " ",
      qquad: " ",
      LaTeX: "LaTeX",
      TeX: "TeX",
      S: "§",
      euro: "€",
    },
  }),
);

/** The text of a LaTeX source, its paragraphs divided by blank lines and footnotes behind theirs. @throws when it can't be parsed. */
export function latexText(source: string): string {
  const body = /\\begin\s*\{document\}([\s\S]*?)(?:\\end\s*\{document\}|$)/.exec(source)?.[1] ?? source;
  const blocks: string[] = [];
  const notes: string[] = [];
  let text = "";
  let accent = "";

  const add = (more: string) => {
    if (accent !== "" && more !== "") {
      const [letter = "", ...rest] = more;
      text += `${letter}${accent}${rest.join("")}`;
      accent = "";
    } else text += more;
  };
  const endBlock = () => {
    blocks.push(block(text));
    text = "";
    blocks.push(...notes.splice(0));
  };
  const visitAll = (nodes: readonly latexParser.Node[]) => {
    for (const node of nodes) visit(node);
  };
  const visitCommand = ({ name, args }: latexParser.Command) => {
    const groups = args.filter(latexParser.isGroup);
    if (NO_TEXT.has(name)) return;
    if (NOTE.has(name)) {
      const before = text;
      text = "";
      for (const { content } of groups) visitAll(content);
      notes.push(block(text));
      text = before;
      return;
    }
    if (BLOCK.test(name)) endBlock();
    const mark = ACCENTS.get(name);
    if (mark !== undefined) accent = mark;
    add(CHARACTERS.get(name) ?? "");
    for (const { content } of groups) visitAll(content);
    if (BLOCK.test(name) && groups.length > 0) endBlock();
  };
  const visit = (node: latexParser.Node): void => {
    if (latexParser.isTextString(node)) add(typographic(node.content));
    else if (latexParser.isCommand(node)) visitCommand(node);
    else if (latexParser.isParbreak(node)) endBlock();
    else if (latexParser.isHrefCommand(node) || latexParser.isGroup(node)) visitAll(node.content);
    else if (latexParser.isVerb(node)) add(node.content);
    else if (latexParser.isEnvironment(node)) {
      if (NO_TEXT_ENVIRONMENT.test(node.name)) return;
      endBlock();
      visitAll(node.content);
      endBlock();
    } else if (BLANKS.has(node.kind)) add(" ");
    else if (VERBATIM.has(node.kind) && "content" in node && typeof node.content === "string") {
      endBlock();
      blocks.push(node.content.trim());
    }
  };
  visitAll(latexParser.parse(body).content);
  endBlock();
  return blocks.filter((one) => one !== "").join("\n\n");
}

function block(text: string): string {
  return text.replace(/\s+/g, " ").trim().normalize("NFC");
}

/** What stands between words, or in place of some. */
const BLANKS: ReadonlySet<string> = new Set(
  "space softbreak linebreak activeCharacter alignmentTab inlineMath".split(" "),
);
const VERBATIM: ReadonlySet<string> = new Set(["env.verbatim", "env.lstlisting", "env.minted"]);

/** Quotation marks and dashes as they are printed. */
function typographic(text: string): string {
  return text.replaceAll("``", "“").replaceAll("''", "”").replaceAll("---", "—").replaceAll("--", "–");
}
