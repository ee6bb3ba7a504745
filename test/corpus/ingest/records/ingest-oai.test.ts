import { expect } from "chai";
import { type IngestOaiInput, type OpenPipeline, openPipeline } from "../../../../src/index.ts";
import { createLogger } from "../../../../src/platform/logger.ts";
import { makePdf } from "../../../extract/made-documents.ts";
import { dublinCore, OaiRepositoryDouble, xoai } from "../../../support/servers/oai-repository.ts";
import { useCorpus } from "../../../support/use-corpus.ts";
import { prose } from "../../../support/work/prose.ts";
import { readContents } from "../folder/corpus-contents.ts";

const TEXT = "text/plain";

describe("ingesting a repository by OAI-PMH", () => {
  const made = useCorpus();
  let pipeline: OpenPipeline;
  let repository: OaiRepositoryDouble;
  const said: string[] = [];

  before(async () => {
    pipeline = await openPipeline(made.options, createLogger("silent", "stderr"));
  });
  beforeEach(async () => {
    repository = new OaiRepositoryDouble();
    await repository.start();
  });
  afterEach(async () => {
    await repository.stop();
    await made.corpus.database.query("delete from documents");
    await made.corpus.database.query("delete from ingested_collections");
    await made.corpus.cleanUpTombstones();
  });
  after(async () => {
    await pipeline?.close();
  });

  function harvest(input: Partial<IngestOaiInput> = {}) {
    said.length = 0;
    const { url } = repository;
    return pipeline.ingestOai({
      url,
      pauseMs: 0,
      collection: "theses",
      say: (line) => said.push(line),
      ...input,
    });
  }

  async function files() {
    return (await readContents(made.corpus, "oai:theses")).files;
  }

  function fileUrl(path: string): string {
    return new URL(path, repository.url).href;
  }

  it("reads the open files of DSpace's records, with title, language and address", async () => {
    const text = prose(201, 80);
    repository.files = {
      "/bitstream/1/thesis.txt": { body: text, headers: { "content-type": TEXT } },
      "/bitstream/1/thesis.txt.txt": { body: prose(202, 80) },
    };
    repository.works = [
      {
        id: "oai:double:1",
        datestamp: "2026-01-01T00:00:00Z",
        metadata: {
          xoai: xoai(
            {
              "dc.title.en": "On bells &amp; towers",
              "dc.description.abstract.en": prose(203, 30),
              "dc.language.iso.none": "deu",
              "dc.identifier.uri.none": "https://hdl.example/1",
              "dc.rights.none": "info:eu-repo/semantics/openAccess",
            },
            [
              { bundle: "ORIGINAL", url: fileUrl("/bitstream/1/thesis.txt"), format: TEXT },
              { bundle: "TEXT", url: fileUrl("/bitstream/1/thesis.txt.txt"), format: TEXT },
            ],
          ),
        },
      },
    ];
    expect(await harvest()).to.deep.include({ added: 1, failed: 0, failures: [] });
    const file = (await files()).get("oai:double:1");
    expect(file?.text).to.equal(text);
    expect(file?.facts).to.include({
      title: "On bells & towers",
      language: "de",
      source_url: "https://hdl.example/1",
    });
  });

  it("keeps which pages of a record's file could not be read", async () => {
    const page = `BT /F1 12 Tf 72 700 Td (${prose(205, 30)}) Tj ET`;
    const scan = "q 612 0 0 792 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x7f\x7f\x7f\x7f EI Q";
    const body = makePdf({ pages: [page, scan] });
    repository.files = { "/13/1/paper.pdf": { body, headers: { "content-type": "application/pdf" } } };
    const oai_dc = dublinCore({ title: ["A"], identifier: [fileUrl("/13/1/paper.pdf")] });
    repository.works = [{ id: "scanned", datestamp: "2026-01-01", metadata: { oai_dc } }];
    expect(await harvest()).to.deep.include({ added: 1, failed: 0 });
    const [stored] = await made.corpus.database.query<{ notes: unknown }>(
      "select page_notes as notes from documents where path = 'scanned'",
    );
    expect(stored?.notes).to.deep.equal([{ kind: "no_text", pages: [2] }]);
  });

  it("reads files that Dublin Core, ORE, OpenAIRE or a journal's galley names, and descriptions where there are none", async () => {
    const pdf = makePdf({ pages: [`BT /F1 12 Tf 72 700 Td (${prose(211, 6)}) Tj ET`] });
    repository.files = {
      "/12/1/paper.pdf": { body: pdf, headers: { "content-type": "application/pdf" } },
      "/ore/2": { body: prose(212, 60), headers: { "content-type": TEXT } },
      "/index.php/j/article/download/7/8": { body: pdf, headers: { "content-type": "application/pdf" } },
    };
    const aggregation = (href: string) =>
      `<entry xmlns="http://www.w3.org/2005/Atom"><link rel="alternate" href="https://x.example/2"/><link rel="http://www.openarchives.org/ore/terms/aggregates" href="${href}" type="text/plain"/></entry>`;
    const work = (id: string, oai_dc: string, ore?: string) => ({
      id,
      datestamp: "2026-01-01",
      metadata: { oai_dc, ...(ore !== undefined && { ore }) },
    });
    const abstract = prose(213, 40);
    repository.works = [
      work(
        "eprints",
        dublinCore({ title: ["A"], identifier: ["https://x.example/12/", fileUrl("/12/1/paper.pdf")] }),
      ),
      work(
        "ore",
        dublinCore({ title: ["B"], description: [prose(214, 20)] }),
        aggregation(fileUrl("/ore/2")),
      ),
      work(
        "ojs",
        dublinCore({
          title: ["C"],
          format: ["application/pdf"],
          relation: [fileUrl("/index.php/j/article/view/7/8")],
        }),
      ),
      work("described", dublinCore({ title: ["D"], description: [abstract], language: ["eng"] })),
      work("nothing", dublinCore({ title: ["E"] })),
    ];
    const result = await harvest();
    expect(result).to.include({ added: 4, failed: 1 });
    expect(result.failures[0]?.path).to.equal("nothing");
    const read = await files();
    expect(read.get("eprints")?.text.trim()).to.equal(prose(211, 6));
    expect(read.get("ore")?.text).to.equal(prose(212, 60));
    expect(read.get("ojs")?.text.trim()).to.equal(prose(211, 6));
    expect(read.get("described")?.text).to.equal(abstract);
    expect(repository.asked("ListRecords").length).to.equal(3);
  });

  it("does not fetch files that are not open to everybody", async () => {
    const file = (rights: string) =>
      `<oaire:resource xmlns:oaire="http://namespace.openaire.eu/schema/oaire/" xmlns:dc="d" xmlns:datacite="c"><datacite:title>T</datacite:title><dc:description>${prose(221, 30)}</dc:description><datacite:rights rightsURI="http://purl.org/coar/access_right/${rights}">rights</datacite:rights><oaire:file mimeType="text/plain">${fileUrl("/file")}</oaire:file></oaire:resource>`;
    repository.files = { "/file": { body: prose(222, 50) } };
    repository.works = [
      { id: "open", datestamp: "2026-01-01T00:00:00Z", metadata: { oai_openaire: file("c_abf2") } },
      { id: "closed", datestamp: "2026-01-01T00:00:00Z", metadata: { oai_openaire: file("c_16ec") } },
      { id: "embargoed", datestamp: "2026-01-01T00:00:00Z", metadata: { oai_openaire: file("c_f1cf") } },
    ];
    expect(await harvest()).to.include({ added: 3 });
    const read = await files();
    expect(read.get("open")?.text).to.equal(prose(222, 50));
    expect(read.get("closed")?.text).to.equal(prose(221, 30));
    expect(read.get("embargoed")?.text).to.equal(prose(221, 30));
    expect(repository.requests.filter(({ pathname }) => pathname === "/file")).to.have.lengthOf(1);
  });

  it("later reads what has changed since, and deletes works that are deleted or gone", async () => {
    const work = (id: string, seed: number, datestamp = "2026-01-01T00:00:00Z") => ({
      id,
      datestamp,
      metadata: { oai_dc: dublinCore({ title: [id], description: [prose(seed, 30)] }) },
    });
    repository.works = [work("a", 231), work("b", 232), work("c", 233), work("d", 234)];
    expect(await harvest()).to.include({ added: 4 });
    repository.requests.length = 0;
    repository.works = [
      work("a", 235, "2026-02-01T09:58:00Z"),
      work("b", 232),
      { id: "c", datestamp: "2026-02-02T00:00:00Z", isDeleted: true },
      work("e", 236, "2026-02-02T00:00:00Z"),
    ];
    expect(await harvest()).to.include({ added: 1, replaced: 1, removed: 2, failed: 0 });
    expect([...(await files()).keys()].sort()).to.deep.equal(["a", "b", "e"]);
    expect(repository.asked("ListRecords")[0]).to.include({ from: "2026-02-01T09:55:00Z" });
  });

  it("asks for days only where the repository has no times, and only for the set", async () => {
    repository.granularity = "YYYY-MM-DD";
    const oai_dc = dublinCore({ title: ["x"], description: [prose(241, 30)] });
    repository.works = [
      { id: "in", set: "theses", datestamp: "2026-01-01", metadata: { oai_dc } },
      { id: "out", set: "maps", datestamp: "2026-01-01", metadata: { oai_dc } },
    ];
    expect(await harvest({ set: "theses", from: "2025-06-01" })).to.include({ added: 1 });
    await harvest({ set: "theses", from: "2025-06-01" });
    expect(repository.asked("ListRecords").map(({ from, set }) => [from, set])).to.deep.equal([
      ["2025-06-01", "theses"],
      ["2026-02-01", "theses"],
    ]);
  });

  it("waits while the repository is busy, and begins a list again whose token has expired", async () => {
    const oai_dc = dublinCore({ title: ["x"], description: [prose(251, 30)] });
    repository.works = ["a", "b", "c", "d", "e"].map((id) => ({
      id,
      datestamp: "2026-01-01",
      metadata: { oai_dc },
    }));
    let busy = 1;
    let expired = 1;
    repository.answer = ({ searchParams }) => {
      if (!searchParams.has("resumptionToken")) return undefined;
      if (busy-- > 0) return { status: 503, headers: { "retry-after": "0" }, body: "busy" };
      if (searchParams.get("resumptionToken")?.startsWith("4") && expired-- > 0)
        return {
          body: '<OAI-PMH><responseDate>2026-02-01T10:00:00Z</responseDate><error code="badResumptionToken">expired</error></OAI-PMH>',
        };
      return undefined;
    };
    expect(await harvest()).to.include({ added: 5, failed: 0 });
  });

  it("reads the same records again when a file server was down, and says which file was left out", async () => {
    const oai_dc = dublinCore({ title: ["x"], description: ["in short"], identifier: [fileUrl("/a.txt")] });
    repository.works = [{ id: "a", datestamp: "2026-01-01T00:00:00Z", metadata: { oai_dc } }];
    repository.files = { "/a.txt": { status: 500, headers: { "retry-after": "0" }, body: "down" } };
    expect(await harvest()).to.include({ added: 1 });
    expect(said.join("\n")).to.match(/a: http.*\/a\.txt was left out\. .*status 500/);
    repository.files = { "/a.txt": { body: prose(261, 40) } };
    expect(await harvest()).to.include({ replaced: 1 });
    expect((await files()).get("a")?.text).to.equal(prose(261, 40));
  });

  it("keeps the text of a file whose server is down, and later asks for its record alone", async () => {
    const work = (id: string, datestamp: string) => ({
      id,
      datestamp,
      metadata: {
        oai_dc: dublinCore({ title: [id], description: ["in short"], identifier: [fileUrl(`/${id}.txt`)] }),
      },
    });
    repository.works = [work("a", "2026-01-01T00:00:00Z"), work("b", "2026-01-01T00:00:00Z")];
    const down = { status: 500, headers: { "retry-after": "0" }, body: "down" };
    const [own, changed, other] = [prose(291, 40), prose(292, 40), prose(293, 40)];
    repository.files = { "/a.txt": { body: own }, "/b.txt": { body: other } };
    expect(await harvest()).to.include({ added: 2 });
    repository.works = [work("a", "2026-02-01T10:00:00Z"), work("b", "2026-01-01T00:00:00Z")];
    repository.files = { "/a.txt": down, "/b.txt": { body: other } };
    repository.responseDate = "2026-03-01T10:00:00Z";
    expect(await harvest()).to.include({ replaced: 0, removed: 0, failed: 0 });
    expect((await files()).get("a")?.text).to.equal(own);
    expect(said.join("\n")).to.match(/a: http.*\/a\.txt was left out/);
    repository.files = { "/a.txt": { body: changed }, "/b.txt": { body: other } };
    repository.requests.length = 0;
    expect(await harvest()).to.include({ replaced: 1, removed: 0, failed: 0 });
    expect((await files()).get("a")?.text).to.equal(changed);
    expect(repository.asked("ListRecords")[0]).to.include({ from: "2026-03-01T09:55:00Z" });
    expect(repository.asked("GetRecord").map(({ identifier }) => identifier)).to.deep.equal(["a"]);
  });

  it("says that a list never ends whose resumption tokens repeat", async () => {
    const oai_dc = dublinCore({ title: ["x"], description: [prose(271, 30)] });
    repository.works = ["a", "b", "c"].map((id) => ({ id, datestamp: "2026-01-01", metadata: { oai_dc } }));
    repository.answer = ({ searchParams }) =>
      searchParams.has("resumptionToken")
        ? {
            body: "<OAI-PMH><ListRecords><resumptionToken>2|oai_dc|||</resumptionToken></ListRecords></OAI-PMH>",
          }
        : undefined;
    await harvest().then(
      () => expect.fail("no error"),
      (error: unknown) => expect(String(error)).to.match(/never ends: it repeats a resumption token/),
    );
  });

  it("reads nothing later than --until, whose granularity is the repository's", async () => {
    const oai_dc = dublinCore({ title: ["x"], description: [prose(281, 30)] });
    repository.works = [{ id: "a", datestamp: "2026-01-01T00:00:00Z", metadata: { oai_dc } }];
    const range = { from: "2025-06-01", until: "2026-01-31" };
    expect(await harvest(range)).to.include({ added: 1 });
    expect(await harvest(range)).to.include({ removed: 0, failed: 0 });
    expect(repository.asked("ListRecords").map(({ from, until }) => [from, until])).to.deep.equal([
      ["2025-06-01T00:00:00Z", "2026-01-31T23:59:59Z"],
    ]);
  });

  it("says what is wrong with an address that is no repository", async () => {
    repository.answer = () => ({
      body: "<html><body>Welcome</body></html>",
      headers: { "content-type": "text/html" },
    });
    await harvest().then(
      () => expect.fail("no error"),
      (error: unknown) => expect(String(error)).to.match(/does not answer as an OAI-PMH repository/),
    );
  });
});
