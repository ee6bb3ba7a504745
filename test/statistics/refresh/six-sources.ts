import { createHash } from "node:crypto";
import { makeZip } from "../../extract/made-documents.ts";
import type { Question, SourceReply } from "../../support/servers/source-server.ts";

const ROR = "https://ror.org/05a28rw58";
const PAGE = "List of scientific misconduct incidents";

const COLUMNS = "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason";

/** Retraction Watch's file with so many papers of Germany. */
export function retractionsOf(papers: number, reason = "+Plagiarism of Text;"): string {
  const rows = Array.from(
    { length: papers },
    (_, index) => `${index + 1},Germany,3/4/2020 0:00,5/6/2018 0:00,10.1000/p.${index},Retraction,${reason}`,
  );
  return `${[COLUMNS, ...rows].join("\n")}\n`;
}

const DUMP = makeZip({
  "v2.0-ror-data.json": JSON.stringify([
    {
      id: ROR,
      status: "active",
      names: [{ value: "ETH Zurich", types: ["ror_display"] }],
      locations: [{ geonames_details: { country_code: "CH" } }],
    },
  ]),
});

const GROUPS: Readonly<Record<string, readonly { readonly key: string; readonly count: number }[]>> = {
  "authorships.countries": [{ key: "https://openalex.org/countries/DE", count: 20_000 }],
  "authorships.institutions.ror": [{ key: ROR, count: 3_000 }],
  "primary_topic.field.id": [{ key: "https://openalex.org/fields/27", count: 9_000 }],
};

export type PageRevision = { readonly revid: number; readonly timestamp: string; readonly wikitext: string };

/** A list page with so many cases of plagiarism, and one of another kind. */
export function casesOf(count: number): string {
  const entries = Array.from(
    { length: count },
    (_, index) => `* '''Case ${index + 1}''' (Germany): a paper was copied.<ref>Source</ref>`,
  );
  return ["== Physics ==", ...entries, "* '''Other''' fabricated data.<ref>Source</ref>"].join("\n");
}

/** All six sources on one server. What a file is, and which source is out of order, can be changed between two refreshes. */
export class SixSources {
  retractions = retractionsOf(3);
  /** The history of the list page, newest first. */
  revisions: readonly PageRevision[] = [
    { revid: 7, timestamp: "2026-11-01T08:00:00Z", wikitext: casesOf(1) },
  ];
  /** How many of OpenAlex's works have a field. */
  worksHaveFields = true;
  /** A source whose path begins so answers with status 403. */
  broken: string | undefined;

  /** A source whose path begins so sends a byte now and then. */
  dripping: string | undefined;

  reply(question: Question): SourceReply {
    const { path, parameters, headers } = question;
    if (this.dripping !== undefined && path.startsWith(this.dripping)) return { body: "", drips: true };
    if (this.broken !== undefined && path.startsWith(this.broken))
      return { status: 403, body: "out of order" };
    if (path === "/retraction_watch.csv") return this.#file(this.retractions, headers["if-none-match"]);
    if (path.startsWith("/zenodo/")) return zenodo(path, headers.host ?? "");
    if (path === "/w/api.php") return wiki(parameters, this.revisions);
    if (path === "/gdelt") return gdelt(parameters);
    return openAlex(parameters, this.worksHaveFields);
  }

  #file(content: string, known: string | undefined): SourceReply {
    const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
    return known === etag ? { status: 304, body: "" } : { headers: { etag }, body: content };
  }
}

function zenodo(path: string, host: string): SourceReply {
  if (path.endsWith("/content")) return { headers: { "content-type": "application/zip" }, body: DUMP };
  const checksum = `md5:${createHash("md5").update(DUMP).digest("hex")}`;
  const self = `http://${host}/zenodo/files/dump/content`;
  return { body: { id: 2, files: [{ key: "v2.0-ror-data.zip", checksum, links: { self } }] } };
}

function wiki(parameters: URLSearchParams, revisions: readonly PageRevision[]): SourceReply {
  if (parameters.get("action") !== "parse") {
    const history = revisions.map(({ revid, timestamp }) => ({ revid, timestamp }));
    return { body: { batchcomplete: true, query: { pages: [{ title: PAGE, revisions: history }] } } };
  }
  const revid = Number(parameters.get("oldid"));
  const found = revisions.find((one) => one.revid === revid);
  if (found === undefined)
    return { body: { error: { code: "nosuchrevid", info: "There is no such revision." } } };
  return { body: { parse: { title: PAGE, revid, wikitext: found.wikitext } } };
}

function gdelt(parameters: URLSearchParams): SourceReply {
  if (parameters.get("mode") !== "ArtList") {
    const data = [{ date: "20261120T000000Z", value: 3, norm: 900 }];
    return { body: { timeline: [{ series: "Article Count", data }] } };
  }
  const day = parameters.get("startdatetime")?.slice(0, 8);
  const article = { url: `https://news.example/${day}`, title: "News", seendate: `${day}T120000Z` };
  return { body: { articles: [article] } };
}

function openAlex(parameters: URLSearchParams, worksHaveFields: boolean): SourceReply {
  const isFirst = parameters.get("cursor") === "*";
  const meta = { next_cursor: isFirst ? "1" : null };
  const by = parameters.get("group_by");
  if (by !== null) return { body: { meta, group_by: isFirst ? GROUPS[by] : [] } };
  const dois = (parameters.get("filter") ?? "").replace(/^doi:/, "").split("|");
  const works = dois.map((doi) => ({
    doi: `https://doi.org/${doi}`,
    publication_year: 2018,
    authorships: [{ institutions: [{ ror: ROR, display_name: "ETH", country_code: "CH" }] }],
    primary_topic: worksHaveFields ? { field: { id: "https://openalex.org/fields/27" } } : null,
  }));
  return { body: { meta, results: isFirst ? works : [] } };
}
