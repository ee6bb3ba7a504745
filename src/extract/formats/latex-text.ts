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
    const block = text.replace(/\s+/g, " ").trim().normalize("NFC");
    if (block !== "") blocks.push(block);
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
      notes.push(text.replace(/\s+/g, " ").trim());
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
    switch (node.kind) {
      case "text.string":
        return add(
          node.content
            .replaceAll("``", "“")
            .replaceAll("''", "”")
            .replaceAll("---", "—")
            .replaceAll("--", "–"),
        );
      case "space":
      case "softbreak":
      case "linebreak":
      case "activeCharacter":
      case "alignmentTab":
      case "inlineMath":
        return add(" ");
      case "parbreak":
        return endBlock();
      case "command":
        return visitCommand(node);
      case "command.href":
      case "arg.group":
        return visitAll(node.content);
      case "verb":
        return add(node.content);
      case "env.verbatim":
      case "env.lstlisting":
      case "env.minted":
        endBlock();
        blocks.push(node.content.trim());
        return;
      case "env":
        if (NO_TEXT_ENVIRONMENT.test(node.name)) return;
        endBlock();
        visitAll(node.content);
        return endBlock();
      default:
        return;
    }
  };
  visitAll(latexParser.parse(body).content);
  endBlock();
  return blocks.filter((block) => block !== "").join("\n\n");
}
