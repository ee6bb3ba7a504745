/**
 * Elements that say how text looks, none of which holds or separates text. They make up most of a document that was
 * edited for long, where each few words are a run of their own.
 */
const LOOKS = [
  ..."b bCs i iCs u strike caps smallCaps color sz szCs rFonts highlight shd lang kern position vertAlign w".split(
    " ",
  ),
  ..."spacing jc ind textAlignment keepNext keepLines widowControl contextualSpacing snapToGrid outlineLvl".split(
    " ",
  ),
  ..."pStyle rStyle tblStyle tblLook tblW tcW vAlign noProof webHidden rtl cs bidi autoSpaceDE autoSpaceDN".split(
    " ",
  ),
  ..."proofErr lastRenderedPageBreak bookmarkStart bookmarkEnd".split(" "),
].join("|");

const LOOKS_ELEMENT = new RegExp(`<w:(?:${LOOKS})(?:\\s[^<>]*)?/>`, "g");
const EMPTIED_PROPERTIES = /<w:[rp]Pr(?:\/>|><\/w:[rp]Pr>)/g;

/**
 * Takes from a WordprocessingML part what has no part in its text, so that the parser behind it builds a smaller tree.
 * Only whole empty elements go (a `<` within text is always written `&lt;`), so well-formed XML stays so.
 *
 * Measured with mammoth on 2 million characters in runs of 12 (26 MB of XML): 1,364 MB and 6.7 s without,
 * 808 MB and 2.2 s with it; on 20 million in runs of 200 (42 MB): 1,479 MB and 12.8 s against 737 MB and 5.5 s.
 */
export function slimWordXml(xml: string): string {
  return xml.replace(LOOKS_ELEMENT, "").replace(EMPTIED_PROPERTIES, "");
}
