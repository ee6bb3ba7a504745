import { counted, plural } from "./wording.ts";

/** The sentences about the rows of a list. */
export type ListWords = {
  readonly search: string;
  readonly noneFiltered: string;
  readonly noneTitled: (title: string) => string;
  readonly total: (rows: number) => string;
  readonly deleteSome: (rows: number) => string;
  readonly askDelete: (rows: number) => string;
  readonly doDelete: (rows: number) => string;
  readonly manyDeleted: (rows: number) => string;
  readonly notDeleted: (rows: number) => string;
};

/** Those of a list that is in English only. @param noun the name of a row, such as `document` */
export function englishWords(noun: string): ListWords {
  const all = (rows: number) => counted(rows, noun);
  return {
    search: `Search ${plural(noun)} by title`,
    noneFiltered: `No ${plural(noun)} match these filters`,
    noneTitled: (title) => `No ${plural(noun)} match “${title}”`,
    total: all,
    deleteSome: (rows) => `Delete ${all(rows)}…`,
    askDelete: (rows) => `Delete ${all(rows)}?`,
    doDelete: (rows) => `Delete ${all(rows)}`,
    manyDeleted: (rows) => `${all(rows)} deleted.`,
    notDeleted: (rows) => `${all(rows)} could not be deleted`,
  };
}
