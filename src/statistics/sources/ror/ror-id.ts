/** The letter 0, six characters of Crockford's base 32, and a checksum of two digits. */
const ROR_ID = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[0-9a-hj-km-np-tv-z]{6}\d{2})\/?$/;

/** The full, canonical form of a ROR identifier, `https://ror.org/05a28rw58`; undefined when it is none. */
export function normaliseRor(written: string): string | undefined {
  const id = ROR_ID.exec(written.trim().toLowerCase())?.[1];
  return id === undefined ? undefined : `https://ror.org/${id}`;
}
