import { expect } from "chai";
import { type Act, answerWith, FaultProxy, passOn } from "../../../support/faults/fault-proxy.ts";
import { prose } from "../../../support/work/prose.ts";
import { failure, NOTHING } from "../folder/folder-corpus.ts";
import { useIndices } from "./index-documents.ts";

/** More documents than a page or a batch holds. */
const MANY = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`n${at}`, { body: prose(at, 30) }]));

describe("ingesting an index", () => {
  const indices = useIndices();

  it("makes all documents matchable, with title, address and language", async () => {
    await indices.write("articles", {
      one: { headline: "On tides", body: prose(1, 300), link: "https://news.example/1", lang: "de" },
      two: { headline: "On ferries", body: prose(2, 40), link: "https://news.example/2", lang: "de-CH" },
    });
    const fields = { title: "headline", url: "link", language: "lang" };
    const result = await indices.ingest("articles", fields);
    const { files } = await indices.contents("articles");
    const chunks = [...files.values()].flatMap((file) => file.chunks);
    expect(result).to.deep.include({ ...NOTHING, added: 2, chunks: chunks.length, failures: [] });
    expect(files.get("one")?.text).to.equal(prose(1, 300));
    expect(files.get("one")?.facts).to.include({
      title: "On tides",
      source_url: "https://news.example/1",
      language: "de",
    });
    expect(files.get("two")?.facts).to.include({ language: "de" });
    await indices.expectMatchable("articles");
  });

  it("joins nested fields and lists by blank lines, and takes the text of HTML", async () => {
    await indices.write("pages", {
      a: {
        body: {
          parts: [{ text: "<p>The tide&nbsp;turns</p><p>at <b>noon</b>.</p>" }, { text: "Boats wait." }],
        },
        "notes.extra": ["First note.", "Second note."],
        heading: "Tides &amp; <i>boats</i>",
      },
    });
    const text = ["body.parts.text", "notes.extra"];
    await indices.ingest("pages", { text, title: "heading", html: true });
    const { files } = await indices.contents("pages");
    expect(files.get("a")?.text).to.equal(
      "The tide\u00a0turns\n\nat noon.\n\nBoats wait.\n\nFirst note.\n\nSecond note.",
    );
    expect(files.get("a")?.facts).to.include({ title: "Tides & boats" });
  });

  it("makes addresses from a pattern, and says which addresses and languages it left out", async () => {
    await indices.write("articles", {
      "a/b c": { body: prose(1, 30), meta: { slug: "über uns" }, link: "not an address", lang: "klingon" },
      d: { body: prose(2, 30), link: "https://own.example/d" },
    });
    const mapping = { url: "link", language: "lang", idUrl: "https://x.example/{meta.slug}/{_id}" };
    await indices.ingest("articles", mapping);
    const { files } = await indices.contents("articles");
    expect(files.get("a/b c")?.facts).to.include({
      source_url: "https://x.example/%C3%BCber%20uns/a/b%20c",
      title: "a/b c",
    });
    expect(files.get("d")?.facts).to.include({ source_url: "https://own.example/d" });
    expect(indices.said).to.deep.equal([
      "The language in lang of 1 record (such as a/b c) is not an ISO 639-1 code such as en; it was detected instead.",
    ]);
    await indices.ingest("articles", { url: "link" });
    expect(indices.said).to.deep.equal([
      "The address in link of 1 record (such as a/b c) is not an http or https URL; it was left out.",
    ]);
  });

  it("changes nothing the second time; then replaces what changed, adds what is new and removes what is gone", async () => {
    await indices.write("articles", MANY);
    await indices.write("others", { x: { body: prose(900, 30) } });
    await indices.ingest("others");
    expect(await indices.ingest("articles")).to.deep.include({ ...NOTHING, added: 450, chunks: 450 });
    const first = await indices.contents("articles");
    expect(await indices.ingest("articles")).to.deep.include({ ...NOTHING, unchanged: 450 });
    expect(await indices.contents("articles")).to.deep.equal(first);

    await indices.write("articles", { n1: { body: prose(1_000, 30) }, new: { body: prose(1_001, 30) } });
    await indices.remove("articles", ["n2", "n3"]);
    expect(await indices.ingest("articles")).to.deep.include({
      ...{ added: 1, replaced: 1, unchanged: 447, removed: 2, failed: 0 },
    });
    const { files } = await indices.contents("articles");
    expect(files.get("n1")?.text).to.equal(prose(1_000, 30));
    expect([files.has("n2"), files.has("new"), files.size]).to.deep.equal([false, true, 449]);
    expect((await indices.contents("others")).files.size).to.equal(1);
    await indices.expectMatchable("articles");
  }).timeout(600_000);

  it("replaces a document whose title has changed", async () => {
    await indices.write("articles", { a: { body: prose(1, 30), title: "Before" } });
    await indices.ingest("articles", { title: "title" });
    await indices.write("articles", { a: { body: prose(1, 30), title: "After" } });
    expect(await indices.ingest("articles", { title: "title" })).to.include({ replaced: 1, unchanged: 0 });
    expect((await indices.contents("articles")).files.get("a")?.facts).to.include({ title: "After" });
  });

  it("reads only what is newer than the last run, what was missing, and what is gone", async () => {
    const old = (at: number, text = prose(at, 30)) => ({ body: text, modified: `2020-01-0${at}T00:00:00Z` });
    await indices.write("articles", { a: old(1), b: old(2), c: old(3), d: { body: prose(4, 30) } });
    const input = { updatedField: "modified" };
    expect(await indices.ingest("articles", input)).to.include({ added: 4 });
    // The change of `a` keeps its date, so that it is seen that `a` is not read.
    await indices.write("articles", {
      a: old(1, prose(10, 30)),
      c: { body: prose(11, 30), modified: "2020-01-05T00:00:00Z" },
      late: old(2, prose(12, 30)),
    });
    await indices.remove("articles", ["b"]);
    // Read again: `d` has no date.
    expect(await indices.ingest("articles", input)).to.deep.include({
      ...{ added: 1, replaced: 1, unchanged: 1, removed: 1, failed: 0 },
    });
    const { files } = await indices.contents("articles");
    expect([...files.keys()]).to.deep.equal(["a", "c", "d", "late"]);
    expect(files.get("a")?.text).to.equal(prose(1, 30));
    expect(files.get("c")?.text).to.equal(prose(11, 30));
    // Another mapping concerns all documents, and a run without the field reads all.
    expect(
      await indices
        .ingest("articles", { ...input, language: "lang", text: ["body", "modified"] })
        .catch(String),
    ).to.include("lang");
    expect(await indices.ingest("articles")).to.include({ replaced: 1, unchanged: 3 });
  });

  it("reads an index of several shards, an alias and a pattern", async () => {
    const { opensearch } = indices.corpus;
    await opensearch.indices.create({
      index: indices.nameOf("wide"),
      body: {
        settings: { number_of_shards: 3, number_of_replicas: 0 },
        aliases: { [indices.nameOf("alias")]: {} },
      },
    });
    await indices.write("wide", MANY);
    expect(await indices.ingest("alias")).to.include({ added: 450, failed: 0 });
    expect((await indices.contents("alias")).files.size).to.equal(450);
    await indices.write("wide2", { n1: { body: prose(1, 30) } });
    expect(await indices.ingest("wide*")).to.include({ added: 451, failed: 0 });
    const { files } = await indices.contents("wide*");
    expect([
      files.has(`${indices.nameOf("wide")}/n1`),
      files.has(`${indices.nameOf("wide2")}/n1`),
    ]).to.deep.equal([true, true]);
  }).timeout(600_000);

  it("reads all documents of several shards from a release without a sort key that is unique over them", async () => {
    const { opensearch } = indices.corpus;
    const index = indices.nameOf("wide");
    const settings = { number_of_shards: 3, number_of_replicas: 0 };
    await opensearch.indices.create({ index, body: { settings } });
    await indices.write("wide", MANY);
    await indices.write("wide2", MANY);
    const older = await FaultProxy.open(indices.options.opensearchNodes[0] ?? "");
    const reason = "No mapping found for [_shard_doc] in order to sort on";
    const refuse = answerWith(400, { error: { type: "query_shard_exception", reason } });
    const act: Act = (exchange) =>
      exchange.body.includes("_shard_doc") ? refuse(exchange) : passOn(exchange);
    older.set({ on: /_search/, act });
    try {
      const result = await indices.ingest("wide*", { node: older.url });
      expect(result).to.include({ added: 900, failed: 0 });
      expect(await indices.ingest("wide*", { node: older.url })).to.include({ unchanged: 900, removed: 0 });
    } finally {
      await older.close();
    }
  }).timeout(600_000);

  it("reads fields that are stored without being in the mapping", async () => {
    await indices.corpus.opensearch.indices.create({
      index: indices.nameOf("unmapped"),
      body: { settings: { number_of_shards: 3, number_of_replicas: 0 }, mappings: { dynamic: "false" } },
    });
    await indices.write("unmapped", { a: { body: prose(1, 30) } });
    const error = await failure(indices.ingest("unmapped", { title: "headline" }));
    expect(error).to.have.property("message").that.includes("has the field headline (--title)");
    expect(await indices.ingest("unmapped")).to.include({ added: 1, failed: 0 });
  });

  it("reads only what a query selects; another query needs a confirmation, as documents would be deleted", async () => {
    await indices.write("articles", {
      a: { body: prose(1, 30), state: "public" },
      b: { body: prose(2, 30), state: "draft" },
    });
    const query = { term: { "state.keyword": "public" } };
    expect(await indices.ingest("articles", { query })).to.include({ added: 1 });
    const drafts = { query: { term: { "state.keyword": "draft" } } };
    const error = await failure(indices.ingest("articles", drafts));
    expect(error).to.have.property("message").that.includes("--new-query").and.includes("--collection");
    expect([...(await indices.contents("articles")).files.keys()]).to.deep.equal(["a"]);
    expect(await indices.ingest("articles", { ...drafts, newSelection: true })).to.include({
      added: 1,
      removed: 1,
    });
    const own = await indices.ingest("articles", { query, collection: "public" });
    expect(own).to.include({ added: 1, removed: 0 });
  });

  it("lists documents without text with the reason, and keeps the others", async () => {
    await indices.write("articles", {
      a: { body: prose(1, 30) },
      b: { title: "No text" },
      c: { body: "<p></p>" },
      d: { body: `${"<b>".repeat(100_000)}deep` },
    });
    const result = await indices.ingest("articles", { html: true });
    expect(result).to.include({ added: 1, failed: 3 });
    const failures = result.failures.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    expect(failures).to.deep.equal([
      { path: "b", reason: "It has no text in body." },
      { path: "c", reason: "It has no text in body." },
      { path: "d", reason: "Its HTML is nested too deeply." },
    ]);
  });

  it("deletes nothing when the index is empty, unless that is wanted", async () => {
    await indices.write("articles", { a: { body: prose(1, 30) } });
    await indices.ingest("articles");
    await indices.remove("articles", ["a"]);
    expect(await failure(indices.ingest("articles")))
      .to.have.property("message")
      .that.includes("--allow-empty");
    expect((await indices.contents("articles")).files.size).to.equal(1);
    expect(await indices.ingest("articles", { allowEmpty: true })).to.include({ removed: 1 });
  });

  it("explains what the caller can correct", async () => {
    await indices.write("articles", { a: { body: prose(1, 30), title: "A", when: "yesterday" } });
    for (const [name, input, message] of [
      ["nowhere", {}, `There is no index for the index ${indices.nameOf("nowhere")} (--from).`],
      ["nowhere*", {}, `No index matches ${indices.nameOf("nowhere*")} (--from).`],
      [
        "articles",
        { text: ["bdy"] },
        "has the field bdy (--text). Its fields are: body, body.keyword, title,",
      ],
      ["articles", { title: "headline" }, "has the field headline (--title)."],
      ["articles", { idUrl: "https://x.example/{slug}" }, "has the field slug (--id-url)."],
      ["articles", { query: { trem: {} } }, "OpenSearch refuses the request"],
      ["articles", { updatedField: "modified" }, "has no such field"],
      ["articles", { updatedField: "when" }, "has it as text"],
      ["articles", { collection: "a/b" }, "A collection name"],
      ["articles", { node: "http://127.0.0.1:1" }, "Check its address (--node"],
    ] as const) {
      const error = await failure(indices.ingest(name, input));
      expect(error).to.have.property("message").that.includes(message);
      expect(error).to.have.property("code");
    }
    expect((await indices.contents("articles")).files.size).to.equal(0);
  });

  it("reads another node, whose host is part of the name of the collection", async () => {
    await indices.write("articles", { a: { body: prose(1, 30) } });
    const [node = ""] = indices.options.opensearchNodes;
    expect(await indices.ingest("articles", { node })).to.include({ added: 1 });
    const rows = await indices.corpus.database.query("select collection from documents");
    expect(rows).to.deep.equal([{ collection: `index:${new URL(node).host}/${indices.nameOf("articles")}` }]);
  });
});
