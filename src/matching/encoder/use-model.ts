/** How fingerprints name the Universal Sentence Encoder multilingual v3 (Yang et al., 2019, arXiv 1907.04307). */
export const USE_MODEL = "use-multilingual-v3";

/** The dimensions of a sentence vector. */
export const USE_DIMENSIONS = 512;

/** The offsets, in pieces, of the neighbours that the widest convolution sees. */
export const NEIGHBOUR_OFFSETS = [-2, -1, 0, 1, 2] as const;

/** The size of the piece table of this model: 128,010 pieces. */
export const PIECE_TABLE_BYTES = 65_541_120;
