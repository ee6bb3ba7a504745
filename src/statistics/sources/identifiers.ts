/** A registrant's prefix, and a suffix without white space; the handbook allows any other character in it. */
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/\S+$/;

/** The prefix of a DOI in links and citations. */
const PREFIX = /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*)/;

/** Entities in files that were taken from web pages: old DOIs hold angle brackets. */
const ENTITIES = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
] as const;

/**
 * The one form of a DOI by which sources are joined: without resolver, decoded, in lower case (DOIs are compared without
 * regard to case). Undefined when there is none, as in `unavailable`.
 */
export function normaliseDoi(written: string): string | undefined {
  let doi = written.trim().toLowerCase();
  for (const [entity, character] of ENTITIES) doi = doi.replaceAll(entity, character);
  doi = percentDecoded(doi).toLowerCase().replace(PREFIX, "").trim();
  return DOI.test(doi) ? doi : undefined;
}

/** A DOI may contain a literal percent sign. Then it is not a valid encoding and stays unchanged. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The letter 0, six characters of Crockford's base 32, and a checksum of two digits. */
const ROR_ID = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[0-9a-hj-km-np-tv-z]{6}\d{2})\/?$/;

/** The full, canonical form of a ROR identifier, `https://ror.org/05a28rw58`; undefined when it is none. */
export function normaliseRor(written: string): string | undefined {
  const id = ROR_ID.exec(written.trim().toLowerCase())?.[1];
  return id === undefined ? undefined : `https://ror.org/${id}`;
}
