import { type XmlRules, xmlText } from "./xml-text.ts";

/** Articles of journals (JATS, NISO Z39.96): title, abstract, body and notes, without the lists of authors and references. */
const JATS: XmlRules = {
  blocks:
    "article-title subtitle abstract title p sec list-item def-list def-item term def td th caption label boxed-text disp-quote verse-line ack app attrib",
  skipped:
    "journal-meta article-id article-categories contrib-group aff author-notes pub-date volume issue fpage lpage elocation-id history permissions self-uri funding-group counts custom-meta-group kwd-group related-article conference trans-title-group ref-list math tex-math graphic object-id alternatives-label xref-id processing-meta pub-history",
  notes: "fn",
  characters: { break: "\v" },
};

/** Texts of the Text Encoding Initiative (TEI P5), also as GROBID writes them; as printed, without editorial corrections. */
const TEI: XmlRules = {
  blocks: "p head item cell l lg ab quote sp speaker figDesc abstract div row epigraph signed closer opener",
  skipped:
    "fileDesc encodingDesc revisionDesc langUsage textClass particDesc corr reg expan fw formula listBibl biblStruct graphic",
  notes: "note",
  characters: { lb: " ", pb: " ", cb: " " },
};

const ROOT = /<(?![?!])(?:[\w.-]+:)?([\w.-]+)[\s/>]/;
const ROOT_WITHIN = 20_000;

/** The text of a document in JATS or TEI; undefined for other XML. */
export function xmlArticleText(xml: string): string | undefined {
  const head = xml.slice(0, ROOT_WITHIN).replace(/<!--[\s\S]*?-->/g, "");
  const root = ROOT.exec(head)?.[1];
  if (root === "article" || root === "pmc-articleset") return xmlText(xml, JATS);
  return root === "TEI" || root === "teiCorpus" ? xmlText(xml, TEI) : undefined;
}
