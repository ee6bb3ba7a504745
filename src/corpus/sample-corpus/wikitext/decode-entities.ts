/** The named entities of HTML 4 (W3C, 1999, section 24) that are consecutive in Unicode, by the first code point. */
const CONSECUTIVE: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest",
  ],
  [
    0xc0,
    "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig",
  ],
  [
    0xe0,
    "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml",
  ],
  [
    0x391,
    "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega",
  ],
  [
    0x3b1,
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega",
  ],
  [0x2190, "larr uarr rarr darr harr"],
  [0x21d0, "lArr uArr rArr dArr hArr"],
];

/** The other named entities that the articles use: punctuation, currency and mathematical signs. */
const SINGLE =
  "lt < gt > amp & quot \" apos ' ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ oline ‾ frasl ⁄ euro € trade ™ alefsym ℵ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ div ÷ ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d lrm \u200e rlm \u200f";

const NAMED = namedEntities();

/**
 * The text with its HTML character references replaced, once: `&amp;ndash;` becomes `&ndash;`.
 * A reference that is unknown or names no character stays as it is, so that it can be noticed.
 */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,7}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED.get(name) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return isCharacter(code) ? String.fromCodePoint(code) : whole;
    },
  );
}

function isCharacter(code: number): boolean {
  return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code < 0x7f || code > 0x9f);
}

function namedEntities(): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const [first, names] of CONSECUTIVE) {
    for (const [i, name] of names.split(" ").entries()) named.set(name, String.fromCodePoint(first + i));
  }
  // Split at the ordinary space only: some of the characters are spaces themselves.
  const single = SINGLE.split(" ");
  for (let i = 0; i + 1 < single.length; i += 2) named.set(single[i] ?? "", single[i + 1] ?? "");
  return named;
}
