import { expect } from "chai";
import { judgedPassages, scoreOfNeither } from "../../../measure/match-groups/score.ts";
import { type Acknowledgement, matchGroups } from "../../../src/report/figures/match-groups.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";

const COPIED =
  "Ferries that leave on the hour carry fewer passengers than ferries that leave when they are full";

type Told = { readonly language?: string; readonly title?: string; readonly copied?: string };

/** The acknowledgement of the copied words within a text, where `{}` stands for them. */
function told(
  template: string,
  { language = "en", title = "ferries.txt", copied = COPIED }: Told = {},
): Acknowledgement {
  const start = template.indexOf("{}");
  const groupOf = matchGroups(template.replace("{}", copied), language, [
    { documentId: "a", title, filename: "ferries.txt" },
  ]);
  return groupOf("a", { query: { start, end: start + copied.length }, preview: copied.slice(0, 200) });
}

const REFERENCES =
  "\n\nReferences\n\nOdell, M. (2011). Ferries and their hours. Journal of Ports, 4(2), 11–29.\nTrask, J. (2007). Bridges of the north. Journal of Ports, 2(1), 1–9.\n";

describe("matchGroups", () => {
  it("tells passages apart by quotation marks and citations, in the styles of several languages", () => {
    const cases: readonly (readonly [Acknowledgement["group"], string])[] = [
      ["quoted_and_cited", "We read: “{}” (Odell 2011, p. 12). Then we left."],
      ["quoted_and_cited", "Odell (2011) schreibt: „{}.“ Danach gingen wir."],
      ["quoted_and_cited", "On lit : « {} » (voir Odell, 2011, p. 12). Puis la suite."],
      ["quoted_and_cited", "Leemos: «{}» [4]. Después nada."],
      ["quoted_and_cited", "We read:\n\n> {}. (Odell 2011)\n\nThen we left."],
      ["quoted_and_cited", "We went home early that day.\n\n    {} (Odell 2011).\n\nThen we left."],
      ["quoted_without_source", "Somebody once wrote: “{}.” Then we left."],
      ["cited_without_quotation_marks", "In fact, {} (vgl. Odell 2011, S. 12). Dann nichts."],
      ["cited_without_quotation_marks", "In fact, {} [12]. Nothing more."],
      ["cited_without_quotation_marks", "In fact, {}.³ Nothing more.\n\n³ Odell, Ferries, p. 12.\n"],
      ["cited_without_quotation_marks", "In fact, {}.[^a]\n\n[^a]: Cf. Odell, Ferries, 12.\n"],
      ["cited_without_quotation_marks", "In fact, {} (ebd., S. 13). Dann nichts."],
      ["neither", "In fact, {}. Nothing more (see Figure 3), and nobody (n = 12) asked."],
      ["neither", "Founded in the old harbour (1901–1950), {}. Nothing more."],
    ];
    for (const [group, template] of cases) expect(told(template).group, template).to.equal(group);
  });

  it("never says that nothing is acknowledged where a citation may be meant", () => {
    for (const template of [
      "{}. This was shown by Odell (2011).",
      "Odell (2011) studied ports. {}. Nothing more.",
      `{} (Odell 12).${REFERENCES}`,
      "As Odell says, {}. Nothing more.",
      "{}.\n\nOdell, Ferries, 2011, p. 12.\n\nAnother paragraph.",
      "{}.17 Nothing more.",
      "{} (سميث، ٢٠٠١). ",
      "{}（张，2001）。",
      "{} (Иванов, 2001, с. 5). Дальше.",
      "He wrote as follows:\n\n{}, and passengers know this very well after some years.\n\nThen we left.",
    ])
      expect(told(template).group, template).to.not.equal("neither");
  });

  it("resolves citations by the bibliography", () => {
    const title = "Ferries and their hours";
    expect(told(`{} (Odell 2011).${REFERENCES}`, { title }).group).to.equal("cited_without_quotation_marks");
    const other = told(`{} (Trask 2007).${REFERENCES}`, { title });
    expect([other.group, other.reason]).to.deep.equal(["unsure", "other_work_cited"]);
    // The citation of another work in the next sentence does not excuse the passage.
    expect(told(`{}. Bridges came later (Trask 2007).${REFERENCES}`, { title }).group).to.equal("neither");
  });

  it("takes no citation that was copied with the passage for one of the source", () => {
    const copied = `${COPIED} (Marlow 1999), as the harbour master noted`;
    expect(told("{}. Nothing more.", { copied }).group).to.equal("unsure");
  });

  it("keeps quotations of a few words inside a passage apart from a quoted passage", () => {
    const copied =
      "Ferries that leave “on the hour” carry fewer passengers than ferries that leave when full";
    expect(told("{}. Nothing more.", { copied }).group).to.equal("neither");
    const half = `“${COPIED}” and so do buses that leave on the hour and trams that wait for nobody at all`;
    expect([told("{}.", { copied: half }).group, told("{}.", { copied: half }).reason]).to.deep.equal([
      "unsure",
      "partly_quoted",
    ]);
  });

  it("does not judge the entries of a bibliography", () => {
    const copied = "Odell, M. (2011). Ferries and their hours. Journal of Ports, 4(2), 11–29.";
    expect(told("The text.\n\nReferences\n\n{}\n", { copied }).reason).to.equal("in_bibliography");
  });

  it("finds missing acknowledgements of the labelled passages with precision .98 and recall .85", () => {
    const { passages, precision, recall } = scoreOfNeither(judgedPassages("report"));
    expect(passages).to.be.at.least(200);
    expect(precision).to.be.at.least(0.98);
    expect(recall).to.be.at.least(0.85);
  });

  it("reads texts of brackets, marks and notes in linear time", () => {
    const text = ["(AAAA AAAA AAAA AAAA 1", "1. Aa 2001\n", "x¹(A", '."']
      .map((part) => part.repeat(20_000))
      .join("\n");
    const started = cpuTimeMs();
    const groupOf = matchGroups(text, "en", []);
    for (let start = 0; start < text.length; start += 5_000)
      groupOf("a", { query: { start, end: start + 200 }, preview: "" });
    expect(cpuTimeMs() - started).to.be.below(10_000);
  });
});
