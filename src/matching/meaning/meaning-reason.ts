/**
 * Why the meaning of a text was not compared with all documents. `off`: switched off; `unavailable`: no encoder; `not_encoded`:
 * documents wait to be encoded; `time_cap`: the time budget ended, or a part of the index did not answer in it; `no_sentences`: the
 * text has no sentence that can be compared.
 */
export const MEANING_REASONS = ["off", "unavailable", "not_encoded", "time_cap", "no_sentences"] as const;
export type MeaningReason = (typeof MEANING_REASONS)[number];
