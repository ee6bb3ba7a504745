/**
 * What must be shown wherever the sample's texts are shown or passed on.
 * Wikipedia's text of 2006 was published under the GFDL, version 1.2 or later; by the licensing update of June 2009
 * it is available under CC BY-SA 3.0 as well. Both ask for the authors' names (a link to the revision and its
 * history is enough under the terms of use), for the licence, and for a word on what was changed.
 */
export const SAMPLE_CORPUS_ATTRIBUTION = [
  "Sample corpus: articles of the English Wikipedia as of March 2006, by their contributors, who are named in the history of each article at its source URL.",
  "Licence: Creative Commons Attribution-ShareAlike 3.0 (https://creativecommons.org/licenses/by-sa/3.0/), also GNU Free Documentation License 1.2 or later (https://www.gnu.org/licenses/old-licenses/fdl-1.2.html).",
  "Changed: only the running prose is kept; headings, lists, tables, notes, formulas, pictures and markup are left out.",
].join("\n");
