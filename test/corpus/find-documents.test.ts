import { expect } from "chai";
import { parse as parseCsv } from "csv-parse/sync";
import { DocumentList } from "../../src/corpus/api/schema.ts";
import { EngineClient } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { startTestService } from "../support/service.ts";
import { freshDatabaseOfLocale } from "../support/stores.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("GET /v1/corpus/documents: selected by title or file name", () => {
  const engine = useEngine({ roles: ["engine"] });

  before(async () => {
    const documents = [
      ["lighthouse.txt", "About the sea"],
      ["notes_1.txt", "Lighthouses"],
      ["notes-1.txt", "Whales"],
    ] as const;
    for (const [at, [name, title]] of documents.entries())
      await engine.client.upload("/v1/corpus/documents", { name, content: prose(at, 20) }, { title });
  });

  async function list(parameters: Record<string, string>) {
    const response = await engine.client.request(`/v1/corpus/documents?${new URLSearchParams(parameters)}`);
    const { items, total } = DocumentList.parse(await response.json());
    return { titles: items.map(({ title }) => title), total };
  }

  it("finds the text in either, newest first, and total counts what is found", async () => {
    const found = { titles: ["Lighthouses", "About the sea"], total: 2 };
    expect(await list({ title: "LIGHTHOUSE" })).to.deep.equal(found);
    expect(await list({ title: "lighthouse", limit: "1", offset: "1" })).to.deep.equal({
      titles: ["About the sea"],
      total: 2,
    });
    expect((await list({ title: "s_1" })).titles).to.deep.equal(["Lighthouses"]);
    expect(await list({ title: "nothing" })).to.deep.equal({ titles: [], total: 0 });
    expect((await list({ title: "" })).total).to.equal(3);
  });

  it("sorts by date, words and title, and selects by status, as a list and as CSV", async () => {
    for (const [at, title] of ["apples", "Bees"].entries())
      await engine.client.upload(
        "/v1/corpus/documents",
        { name: `=${title}.txt`, content: prose(10 + at, 10 * (at + 3)) },
        { title },
      );
    const orders = {
      "sort=title&order=asc": ["About the sea", "apples", "Bees", "Lighthouses", "Whales"],
      "sort=title": ["Whales", "Lighthouses", "Bees", "apples", "About the sea"],
      "sort=words": ["Bees", "apples", "Whales", "Lighthouses", "About the sea"],
      "sort=words&order=asc": ["About the sea", "Lighthouses", "Whales", "apples", "Bees"],
      "order=asc": ["About the sea", "Lighthouses", "Whales", "apples", "Bees"],
      "fingerprint_status=pending&title=whales": ["Whales"],
      "fingerprint_status=fingerprinted": [],
    };
    for (const [query, titles] of Object.entries(orders)) {
      expect((await list(Object.fromEntries(new URLSearchParams(query)))).titles, query).to.deep.equal(
        titles,
      );
      const response = await engine.client.request(`/v1/corpus/documents.csv?${query}`);
      expect(response.headers.get("Content-Disposition")).to.equal('attachment; filename="documents.csv"');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.subarray(0, 3).toString("hex")).to.equal("efbbbf");
      const rows: Record<string, string>[] = parseCsv(bytes, { columns: true, bom: true });
      expect(rows.map(({ title }) => title)).to.deep.equal(titles);
      if (titles[0] === "Bees") expect(rows[0]).to.include({ filename: "'=Bees.txt", word_count: "40" });
    }
  });

  it("422 for a text that is too long", async () => {
    const response = await engine.client.request(`/v1/corpus/documents?title=${"x".repeat(256)}`);
    await expectProblem(response, 422, "invalid-input", ["title"]);
  });
});

describe("GET /v1/corpus/documents: sorted by title", function () {
  this.timeout(120_000);

  it("has the same order whatever the locale of the database", async () => {
    const titles = ["ähre", "Zebra", "co-op", "coat", "Äpfel", "CO2"];
    const service = await startTestService({
      databaseUrl: await freshDatabaseOfLocale("de"),
      roles: ["engine"],
    });
    try {
      const client = new EngineClient(service.base);
      for (const [at, title] of titles.entries())
        await client.upload("/v1/corpus/documents", { name: `${at}.txt`, content: prose(at, 20) }, { title });
      const listed: string[] = [];
      for (let offset = 0; offset < titles.length; offset += 2) {
        const page = await client.request(
          `/v1/corpus/documents?sort=title&order=asc&limit=2&offset=${offset}`,
        );
        listed.push(...DocumentList.parse(await page.json()).items.map(({ title }) => title));
      }
      expect(listed).to.deep.equal(["co-op", "CO2", "coat", "Zebra", "ähre", "Äpfel"]);
    } finally {
      await service.stop();
    }
  });
});
