import { createServer, type Server } from "node:http";

/** A work in a repository; `metadata` by format. */
export type RepositoryWork = {
  readonly id: string;
  readonly datestamp: string;
  readonly set?: string;
  readonly isDeleted?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
};

type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

/** A repository that answers OAI-PMH 2.0 as DSpace, EPrints and Open Journal Systems do, and serves files. */
export class OaiRepositoryDouble {
  works: RepositoryWork[] = [];
  files: Record<string, Answer> = {};
  granularity = "YYYY-MM-DDThh:mm:ssZ";
  pageSize = 2;
  responseDate = "2026-02-01T10:00:00Z";
  readonly requests: URL[] = [];
  /** An answer in place of the right one. */
  answer: (request: URL) => Answer | undefined = () => undefined;
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/oai/request`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", this.url);
      this.requests.push(url);
      const { status = 200, headers = {}, body } = this.answer(url) ?? this.#rightAnswer(url);
      response.writeHead(status, { "content-type": "text/xml; charset=utf-8", ...headers });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#server === undefined) return resolve();
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /** The requests of a verb, as their parameters. */
  asked(verb: string): Record<string, string>[] {
    return this.requests
      .filter(({ searchParams }) => searchParams.get("verb") === verb)
      .map(({ searchParams }) => Object.fromEntries(searchParams));
  }

  #rightAnswer(url: URL): Answer {
    const file = this.files[url.pathname];
    if (file !== undefined) return file;
    if (url.pathname !== "/oai/request") return { status: 404, body: "no such file" };
    return { body: this.#envelope(this.#verb(url.searchParams)) };
  }

  #envelope(content: string): string {
    return `<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="static/style.xsl"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>${this.responseDate}</responseDate><request>${this.url}</request>${content}</OAI-PMH>`;
  }

  #verb(parameters: URLSearchParams): string {
    const formats = [...new Set(this.works.flatMap(({ metadata = {} }) => Object.keys(metadata)))];
    const id = parameters.get("identifier");
    switch (parameters.get("verb")) {
      case "Identify":
        return `<Identify><repositoryName>Double</repositoryName><baseURL>${this.url}</baseURL><protocolVersion>2.0</protocolVersion><earliestDatestamp>2000-01-01T00:00:00Z</earliestDatestamp><deletedRecord>transient</deletedRecord><granularity>${this.granularity}</granularity></Identify>`;
      case "ListMetadataFormats":
        return `<ListMetadataFormats>${formats.map((format) => `<metadataFormat><metadataPrefix>${format}</metadataPrefix></metadataFormat>`).join("")}</ListMetadataFormats>`;
      case "ListRecords":
      case "ListIdentifiers":
        return this.#list(parameters);
      case "GetRecord": {
        const work = this.works.find((one) => one.id === id);
        const format = parameters.get("metadataPrefix") ?? "";
        if (work?.metadata?.[format] === undefined)
          return '<error code="cannotDisseminateFormat">no such format</error>';
        return `<GetRecord>${record(work, format, true)}</GetRecord>`;
      }
      default:
        return '<error code="badVerb">Illegal verb</error>';
    }
  }

  #list(parameters: URLSearchParams): string {
    const token = parameters.get("resumptionToken");
    const [offset = "0", format = "", set = "", from = "", until = ""] = token?.split("|") ?? [
      "0",
      ...["metadataPrefix", "set", "from", "until"].map((name) => parameters.get(name) ?? ""),
    ];
    const verb = parameters.get("verb") ?? "";
    const found = this.works.filter(
      (work) =>
        (set === "" || work.set === set) &&
        (from === "" || work.datestamp.slice(0, from.length) >= from) &&
        (until === "" || work.datestamp.slice(0, until.length) <= until),
    );
    const page = found.slice(Number(offset), Number(offset) + this.pageSize);
    if (page.length === 0) return '<error code="noRecordsMatch">nothing</error>';
    const next = Number(offset) + this.pageSize;
    const more = next < found.length ? [next, format, set, from, until].join("|") : "";
    const resumption =
      found.length > this.pageSize
        ? `<resumptionToken completeListSize="${found.length}" cursor="${offset}">${more}</resumptionToken>`
        : "";
    return `<${verb}>${page.map((work) => record(work, format, verb === "ListRecords")).join("")}${resumption}</${verb}>`;
  }
}

function record(
  { id, datestamp, set, isDeleted, metadata }: RepositoryWork,
  format: string,
  isWhole: boolean,
): string {
  const header = `<header${isDeleted ? ' status="deleted"' : ""}><identifier>${id}</identifier><datestamp>${datestamp}</datestamp>${set === undefined ? "" : `<setSpec>${set}</setSpec>`}</header>`;
  if (!isWhole) return header;
  return `<record>${header}${isDeleted ? "" : `<metadata>${metadata?.[format] ?? ""}</metadata>`}</record>`;
}

type DublinCore = Readonly<Record<string, readonly string[]>>;

/** Metadata in Dublin Core. */
export function dublinCore(fields: DublinCore): string {
  const elements = Object.entries(fields).flatMap(([name, values]) =>
    values.map((value) => `<dc:${name}>${value}</dc:${name}>`),
  );
  return `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${elements.join("")}</oai_dc:dc>`;
}

type Bitstream = { readonly bundle: string; readonly url: string; readonly format: string };

/** Metadata in DSpace's format, with the values of elements such as `dc.title.en`. */
export function xoai(fields: Readonly<Record<string, string>>, bitstreams: readonly Bitstream[]): string {
  const nested = (path: readonly string[], value: string): string => {
    const [name, ...rest] = path;
    const inner = rest.length === 0 ? `<field name="value">${value}</field>` : nested(rest, value);
    return `<element name="${name}">${inner}</element>`;
  };
  const elements = Object.entries(fields).map(([path, value]) => nested(path.split("."), value));
  const bundles = [...Map.groupBy(bitstreams, ({ bundle }) => bundle)].map(
    ([bundle, own]) =>
      `<element name="bundle"><field name="name">${bundle}</field><element name="bitstreams">${own
        .map(
          ({ url, format }) =>
            `<element name="bitstream"><field name="name">file</field><field name="format">${format}</field><field name="url">${url}</field></element>`,
        )
        .join("")}</element></element>`,
  );
  return `<metadata xmlns="http://www.lyncode.com/xoai">${elements.join("")}<element name="bundles">${bundles.join("")}</element></metadata>`;
}
