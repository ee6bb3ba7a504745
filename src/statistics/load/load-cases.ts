import { insertRows } from "../../platform/postgres/sql.ts";
import { documentedCases } from "../sources/cases/documented-cases.ts";
import { type ListPage, listPages } from "../sources/cases/list-page.ts";
import { counted, type LoadPart } from "./part.ts";

/** Where the pages stand, and under what licence their text may be used. */
const WIKI = "https://en.wikipedia.org";
const WIKI_LICENSE = "CC-BY-SA-4.0";

export const loadCases: LoadPart = async (db, input, onBytes) => {
  const pages = new Map((await listPages(input, onBytes)).map((page) => [page.title, page]));
  const rows = [...pages.values()].flatMap((page) => documentedCases(page).map((one) => ({ ...one, page })));
  await db.query("delete from statistics_cases");
  await insertRows(
    db,
    "statistics_cases",
    rows.map(({ caseId, page, ...rest }, position) => ({
      ...rest,
      case_id: caseId,
      position,
      page_title: page.title,
      revision_id: page.revisionId,
      url: revisionUrl(page),
      license: WIKI_LICENSE,
    })),
  );
  return {
    newestRecord: undefined,
    version: [...pages.values()].map(({ revisionId }) => revisionId).join(", "),
    notes: [`${counted(rows.length, "case")} with a reference, from ${counted(pages.size, "page")}`],
  };
};

function revisionUrl({ title, revisionId }: ListPage): string {
  return `${WIKI}/w/index.php?title=${encodeURIComponent(title.replaceAll(" ", "_"))}&oldid=${revisionId}`;
}
