import { DomUtils, parseDocument } from "htmlparser2";
import { DomainError, storeUnavailable } from "../../../platform/domain-error.ts";
import {
  type HttpAccess,
  HttpFailure,
  politeRequest,
  readText,
} from "../../../platform/http-client/polite-request.ts";

export type OaiElement = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A record of a repository, or its header alone. */
export type OaiRecord = {
  readonly identifier: string;
  readonly isDeleted: boolean;
  /** The element inside `metadata`; undefined for a header or a deleted record. */
  readonly metadata: OaiElement | undefined;
};

/** What is harvested; dates are UTC, of a day or a second. */
export type OaiSelection = {
  readonly set?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
};

export type OaiRepository = {
  readonly name: string;
  /** Whether its datestamps have days only. */
  readonly hasDaysOnly: boolean;
  /** Its time at the first answer. */
  readonly responseDate: string;
  readonly formats: readonly string[];
};

/** A resumption token may expire while files are downloaded; then the list begins again, up to this often. */
const RESTARTS_MAX = 3;

/** Successive pages without a new record, after which a list counts as endless. */
const BARREN_PAGES_MAX = 1_000;

/** Harvests a repository by OAI-PMH 2.0 (openarchives.org). @throws DomainError `invalid_input` for errors that the caller can correct, `store_unavailable`. */
export class OaiClient {
  readonly #access: HttpAccess;
  readonly #baseUrl: string;

  constructor(baseUrl: string, access: HttpAccess) {
    this.#baseUrl = baseUrl;
    this.#access = access;
  }

  async identify(): Promise<OaiRepository> {
    const answer = await this.#ask({ verb: "Identify" });
    const formats = await this.#ask({ verb: "ListMetadataFormats" });
    const granularity = textOf(descendants(answer, "granularity")[0]);
    return {
      name: textOf(descendants(answer, "repositoryName")[0]),
      hasDaysOnly: !granularity.includes("T"),
      responseDate: textOf(descendants(answer, "responseDate")[0]),
      formats: descendants(formats, "metadataPrefix").map(textOf),
    };
  }

  /** All records, or their headers, page by page. */
  async *list(
    verb: "ListRecords" | "ListIdentifiers",
    metadataPrefix: string,
    selection: OaiSelection,
  ): AsyncGenerator<readonly OaiRecord[]> {
    const first = { verb, metadataPrefix, ...selection };
    const seen = new Set<string>();
    const tokens = new Set<string>();
    let restarts = 0;
    let barren = 0;
    for (
      let request: Readonly<Record<string, string | undefined>> | undefined = first;
      request !== undefined;
    ) {
      const answer: OaiElement = await this.#ask(request);
      const error = errorOf(answer);
      if (error?.code === "badResumptionToken" && request !== first && restarts++ < RESTARTS_MAX) {
        request = first;
        tokens.clear();
        continue;
      }
      if (error !== undefined) {
        if (error.code === "noRecordsMatch") return;
        throw invalid(`The repository refuses the request ${verb}: ${error.code} (${error.message}).`);
      }
      const all = descendants(answer, verb === "ListRecords" ? "record" : "header").map(readRecord);
      const fresh = all.filter(({ identifier }) => !seen.has(identifier));
      barren = fresh.length > 0 ? 0 : barren + 1;
      yield fresh;
      for (const { identifier } of all) seen.add(identifier);
      const token = textOf(descendants(answer, "resumptionToken")[0]);
      if (token !== "" && (tokens.has(token) || barren >= BARREN_PAGES_MAX))
        throw invalid(
          `The repository's list never ends: ${tokens.has(token) ? "it repeats a resumption token" : `${BARREN_PAGES_MAX} pages have no new record`}. Its operator has to correct that.`,
        );
      tokens.add(token);
      request = token === "" ? undefined : { verb, resumptionToken: token };
    }
  }

  /** One record; undefined where the repository has it not in this format. */
  async get(metadataPrefix: string, identifier: string): Promise<OaiRecord | undefined> {
    const answer = await this.#ask({ verb: "GetRecord", metadataPrefix, identifier });
    return errorOf(answer) === undefined ? descendants(answer, "record").map(readRecord)[0] : undefined;
  }

  async #ask(parameters: Readonly<Record<string, string | undefined>>): Promise<OaiElement> {
    const url = new URL(this.#baseUrl);
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    const request = { url, accept: "text/xml, application/xml" };
    const xml = await politeRequest(this.#access, request, async (response) => {
      const value = await readText(response);
      return { kind: "answer", value };
    }).catch((error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error;
      const isRefused = error.status !== undefined && error.status < 500 && error.status !== 429;
      throw isRefused ? invalid(`${error.message}.`) : storeUnavailable(`${error.message}.`, error);
    });
    const [answer] = descendants(parseDocument(xml, { xmlMode: true }), "OAI-PMH");
    if (answer === undefined)
      throw invalid(
        `${url.host} does not answer as an OAI-PMH repository: is ${this.#baseUrl} its base URL?`,
      );
    return answer;
  }
}

function readRecord(element: OaiElement): OaiRecord {
  const header = element.name.endsWith("header") ? element : descendants(element, "header")[0];
  const metadata = descendants(element, "metadata")[0];
  return {
    identifier: textOf(header && descendants(header, "identifier")[0]),
    isDeleted: header?.attribs.status === "deleted",
    metadata: metadata && DomUtils.getChildren(metadata).find((node) => DomUtils.isTag(node)),
  };
}

function errorOf(answer: OaiElement): { readonly code: string; readonly message: string } | undefined {
  const error = DomUtils.getChildren(answer).find(
    (node): node is OaiElement => DomUtils.isTag(node) && localName(node) === "error",
  );
  return error && { code: error.attribs.code ?? "", message: textOf(error) };
}

/** The elements of a name below another, whatever their prefixes. */
export function descendants(
  parent: Parameters<typeof DomUtils.getElementsByTagName>[1],
  name: string,
): OaiElement[] {
  return DomUtils.getElementsByTagName((tag: string) => tag.slice(tag.indexOf(":") + 1) === name, parent);
}

export function localName({ name }: OaiElement): string {
  return name.slice(name.indexOf(":") + 1);
}

export function textOf(element: OaiElement | undefined): string {
  return element === undefined ? "" : DomUtils.textContent(element).trim();
}

function invalid(message: string): DomainError {
  return new DomainError("invalid_input", message);
}
