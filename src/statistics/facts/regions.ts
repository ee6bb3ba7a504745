/** A region or sub-region of the United Nations' M49 standard. */
export type Region = {
  readonly slug: string;
  readonly name: string;
  /** The three-digit code of the standard. */
  readonly m49: string;
  /** The slug of the region that a sub-region belongs to; null for a region. */
  readonly parent: string | null;
};

/** The five regions, each before its sub-regions; M49's intermediate regions are left out, as rates are compared one level up. */
export const REGIONS: readonly Region[] = [
  region("africa", "Africa", "002"),
  region("northern-africa", "Northern Africa", "015", "africa"),
  region("sub-saharan-africa", "Sub-Saharan Africa", "202", "africa"),
  region("americas", "Americas", "019"),
  region("latin-america-and-the-caribbean", "Latin America and the Caribbean", "419", "americas"),
  region("northern-america", "Northern America", "021", "americas"),
  region("asia", "Asia", "142"),
  region("central-asia", "Central Asia", "143", "asia"),
  region("eastern-asia", "Eastern Asia", "030", "asia"),
  region("south-eastern-asia", "South-eastern Asia", "035", "asia"),
  region("southern-asia", "Southern Asia", "034", "asia"),
  region("western-asia", "Western Asia", "145", "asia"),
  region("europe", "Europe", "150"),
  region("eastern-europe", "Eastern Europe", "151", "europe"),
  region("northern-europe", "Northern Europe", "154", "europe"),
  region("southern-europe", "Southern Europe", "039", "europe"),
  region("western-europe", "Western Europe", "155", "europe"),
  region("oceania", "Oceania", "009"),
  region("australia-and-new-zealand", "Australia and New Zealand", "053", "oceania"),
  region("melanesia", "Melanesia", "054", "oceania"),
  region("micronesia", "Micronesia", "057", "oceania"),
  region("polynesia", "Polynesia", "061", "oceania"),
];

function region(slug: string, name: string, m49: string, parent: string | null = null): Region {
  return { slug, name, m49, parent };
}
