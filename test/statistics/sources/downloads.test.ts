import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { downloadedPart, type FetchContext } from "../../../src/statistics/sources/fetching/fetch-context.ts";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { fetchOrganisations } from "../../../src/statistics/sources/ror/fetch-organisations.ts";
import { organisations } from "../../../src/statistics/sources/ror/organisations.ts";
import { makeZip } from "../../extract/made-documents.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

const fetchRetractions = (context: FetchContext) =>
  downloadedPart(context, context.settings.retractionWatchUrl, "retraction_watch.csv");

describe("fetching Retraction Watch's file", () => {
  const contexts = useFetchContext();
  const CSV = "Record ID,Country\n1,Germany\n";

  function tagged({ headers }: Question): SourceReply {
    const etag = 'W/"7f"';
    return headers["if-none-match"] === etag ? { status: 304, body: "" } : { headers: { etag }, body: CSV };
  }

  it("does not send it again while it is the same, and keeps what was sent", async () => {
    await withSource(tagged, async (server) => {
      const first = await fetchRetractions(contexts.on(server));
      const again = new Date("2026-11-22T12:00:00Z");
      const second = await fetchRetractions(contexts.on(server, { now: again }));
      expect(second).to.include({ file: first.file, retrievedAt: again });
      expect(await readFile(second.file, "utf8")).to.equal(CSV);
      expect(server.questions.map(({ headers }) => headers["if-none-match"])).to.deep.equal([
        undefined,
        'W/"7f"',
      ]);
    });
  });

  it("fetches it again when it was refused, or comes from another address", async () => {
    await withSource(tagged, async (server) => {
      await fetchRetractions(contexts.on(server));
      await contexts.on(server).folder.clear();
      await fetchRetractions(contexts.on(server));
      const settings = { retractionWatchUrl: `${server.base}/mirror.csv` };
      await fetchRetractions(contexts.on(server, { settings }));
      expect(server.questions.map(({ headers }) => headers["if-none-match"])).to.deep.equal([
        undefined,
        undefined,
        undefined,
      ]);
    });
  });
});

describe("fetching ROR's dump", () => {
  const contexts = useFetchContext();

  function record(id: string, name: string) {
    return { id, status: "active", names: [{ value: name, types: ["ror_display"] }] };
  }

  const V2 = JSON.stringify([record("https://ror.org/05a28rw58", "ETH Zurich")]);
  const TWO_SCHEMAS = makeZip({
    "v1.59-2025-01-23-ror-data.csv": "id,name",
    "v1.59-2025-01-23-ror-data.json": '[{"id":"https://ror.org/05a28rw58","name":"the first schema"}]',
    "v1.59-2025-01-23-ror-data_schema_v2.json": V2,
  });
  const ONE_SCHEMA = makeZip({
    "v2.0-2025-12-16-ror-data.csv": "id,name",
    "v2.0-2025-12-16-ror-data.json": V2,
  });

  /** Zenodo with one release, whose files are the given ones. */
  function zenodo(
    name: string,
    content: string | Uint8Array,
    changes: { checksum?: string; tag?: string } = {},
  ) {
    const bytes = Buffer.from(content);
    const { checksum = `md5:${createHash("md5").update(bytes).digest("hex")}`, tag = '"z"' } = changes;
    return ({ path, headers }: Question): SourceReply => {
      if (path === "/zenodo/records/1")
        return { status: 302, headers: { location: "/zenodo/records/2" }, body: "" };
      if (path === "/zenodo/records/2") {
        const self = `http://${headers.host}/zenodo/files/dump/content`;
        const file = { id: "f", key: name, size: bytes.length, checksum, links: { self } };
        return { body: { id: 17953395, metadata: { version: "v2.0" }, files: [file] } };
      }
      return { headers: { etag: tag, "content-type": "application/octet-stream" }, body: bytes };
    };
  }

  async function namesIn(file: string) {
    const found = await Array.fromAsync(organisations(await inspectFile(file), () => undefined));
    return found.map(({ name }) => name);
  }

  it("follows to the newest release, and unpacks the records of the second schema", async () => {
    for (const [key, zip] of [
      ["v1.59-2025-01-23-ror-data.zip", TWO_SCHEMAS],
      ["v2.0-2025-12-16-ror-data.zip", ONE_SCHEMA],
    ] as const) {
      await withSource(zenodo(key, zip), async (server) => {
        const { file, origin, notes } = await fetchOrganisations(contexts.on(server));
        expect(await namesIn(file)).to.deep.equal(["ETH Zurich"]);
        expect(origin?.name).to.equal("Research Organization Registry, release v2.0");
        expect(notes).to.deep.equal([`release v2.0 (${key})`]);
      });
    }
  });

  it("takes a dump that is not packed", async () => {
    await withSource(zenodo("v3.0-ror-data.json", V2), async (server) => {
      expect(await namesIn((await fetchOrganisations(contexts.on(server))).file)).to.deep.equal([
        "ETH Zurich",
      ]);
    });
  });

  it("does not fetch a release that it has", async () => {
    await withSource(zenodo("v2.0-ror-data.zip", ONE_SCHEMA), async (server) => {
      await fetchOrganisations(contexts.on(server));
      const { file } = await fetchOrganisations(contexts.on(server));
      expect(await namesIn(file)).to.deep.equal(["ETH Zurich"]);
      expect(server.questions.filter(({ path }) => path.endsWith("/content"))).to.have.length(1);
    });
  });

  it("goes on with a download that broke off", async () => {
    const whole = zenodo("v2.0-ror-data.zip", ONE_SCHEMA);
    await withSource(
      (question) => {
        const reply = whole(question);
        if (!question.path.endsWith("/content")) return reply;
        const asked = /^bytes=(\d+)-$/.exec(question.headers.range ?? "")?.[1];
        // On a busy machine, a connection may break before the client has read what was sent.
        if (asked === undefined) return { ...reply, breaksAfter: 50 };
        const from = Number(asked);
        const range = { "content-range": `bytes ${from}-${ONE_SCHEMA.length - 1}/${ONE_SCHEMA.length}` };
        return { status: 206, headers: { ...reply.headers, ...range }, body: ONE_SCHEMA.subarray(from) };
      },
      async (server) => {
        expect(await namesIn((await fetchOrganisations(contexts.on(server))).file)).to.deep.equal([
          "ETH Zurich",
        ]);
        expect(server.questions.at(-1)?.headers.range).to.equal("bytes=50-");
      },
    );
  });

  it("says what is wrong with a release", async () => {
    for (const [reply, says] of [
      [zenodo("v2.0-ror-data.zip", ONE_SCHEMA, { checksum: "md5:00" }), /damaged: its checksum is wrong/],
      [zenodo("v2.0-ror-data.zip", "PK no archive at all, but long enough"), /archive can't be unpacked/],
      [zenodo("v2.0-ror-data.zip", makeZip({ "readme.json": "{}" })), /has no file of records: readme\.json/],
      [zenodo("readme.pdf", "x"), /record 17953395 has no dump of ROR: readme\.pdf/],
      [() => ({ body: "<html>" }), /has an unknown form/],
    ] satisfies [(question: Question) => SourceReply, RegExp][]) {
      await withSource(reply, async (server) => {
        expect(await refusal(fetchOrganisations(contexts.on(server)))).to.match(says);
      });
    }
  });
});
