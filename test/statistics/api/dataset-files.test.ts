import { expect } from "chai";
import { z } from "zod";
import { LANGUAGE_TAGS } from "../../../src/http/languages/languages.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { untilServed } from "./wire-answers.ts";

const Field = z.object({ name: z.string(), type: z.enum(["string", "integer", "number", "boolean"]) });
const Package = z.object({
  version: z.string().optional(),
  licenses: z.array(z.object({ name: z.literal("CC-BY-4.0"), path: z.url() })),
  sources: z.array(z.object({ title: z.string() })),
  resources: z.array(
    z.object({ name: z.string(), path: z.string(), schema: z.object({ fields: z.array(Field) }) }),
  ),
});
const Markup = z.object({
  "@context": z.literal("https://schema.org/"),
  "@type": z.literal("Dataset"),
  "@id": z.url(),
  name: z.string(),
  url: z.url(),
  version: z.string().optional(),
  dateModified: z.iso.datetime().optional(),
  temporalCoverage: z.string().optional(),
  spatialCoverage: z.object({ identifier: z.string() }).optional(),
  about: z.object({ "@id": z.url() }).optional(),
  isPartOf: z.object({ "@id": z.url() }).optional(),
  isBasedOn: z.array(z.object({ name: z.string(), dateModified: z.iso.datetime() })),
  license: z.url(),
  description: z.string().min(50),
  distribution: z.array(z.object({ contentUrl: z.url(), encodingFormat: z.string() })),
});

describe("the description of the data set for programs", () => {
  const statistics = useStatistics();
  const textOf = async (path: string) => {
    const response = await statistics.request(path);
    expect(response.status, path).to.equal(200);
    return response.text();
  };
  const readPackage = async () => Package.parse(JSON.parse(await textOf("/datapackage.json")));
  const expectColumns = async () => {
    const { resources } = await readPackage();
    expect(resources).to.have.length(6);
    for (const { path, schema } of resources) {
      const [header] = (await textOf(`/${path}`)).split("\r\n");
      expect(schema.fields.map(({ name }) => name).join(), path).to.equal(header);
    }
  };

  const markupOf = async (path: string) => {
    const page = await textOf(path);
    const [, content = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
    return { page, markup: Markup.parse(JSON.parse(content)) };
  };

  it("names no version before any load", async () => {
    const { markup } = await markupOf("/countries/DE/en");
    expect([markup.version, markup.temporalCoverage, markup.isBasedOn]).to.deep.equal([
      undefined,
      undefined,
      [],
    ]);
    const { version, sources } = await readPackage();
    expect([version, sources]).to.deep.equal([undefined, []]);
    expect(await textOf("/CITATION.cff"))
      .to.include("type: dataset")
      .and.not.include('version: "');
  });

  it("names the columns of each table, of real data and of the synthetic set", async () => {
    const load = createLoadStatistics(statistics);
    const synthetic = await loadSyntheticSet(load);
    await untilServed(statistics, synthetic.datasetVersion);
    await expectColumns();
    const { datasetVersion } = await load(await smallSet(statistics.folder));
    await untilServed(statistics, datasetVersion);
    await expectColumns();
    const { version, sources } = await readPackage();
    expect(version).to.equal(datasetVersion);
    expect(sources.map(({ title }) => title)).to.include("Retraction Watch Database (Crossref)");
    const citation = await textOf("/CITATION.cff");
    expect(citation).to.include(`version: "${datasetVersion}"`);
    expect(citation).to.include('title: "Retraction Watch Database (Crossref)"');
    expect(citation).to.match(/^date-released: "\d{4}-\d\d-\d\d"$/m);
  });

  it("is in each page, with the version, the years and the sources of its own data, and addresses that answer", async () => {
    const { datasetVersion } = await createLoadStatistics(statistics)(await smallSet(statistics.folder, 1));
    await untilServed(statistics, datasetVersion);
    const rates = ["Retraction Watch Database (Crossref)", "Publication counts"];
    const linked = [...rates, "OpenAlex (works of the retracted papers)"];
    const all = [...linked, "Wikipedia", "The GDELT Project (DOC 2.0)"];
    for (const [path, id, years, sources] of [
      ["/story/de", "/", "2008/2017", all],
      ["/countries/DE/ar", "/countries/DE", "2008/2017", rates],
      ["/institutions/02mhbdp94/en", "/institutions/02mhbdp94", "2008/2017", linked],
      ["/disciplines/27/hi", "/disciplines/27", "2008/2017", linked],
      ["/cases/ja", "/cases", undefined, ["Wikipedia"]],
      ["/news/ja", "/news", undefined, ["The GDELT Project (DOC 2.0)"]],
      ["/developers/fr", "/", "2008/2017", all],
    ] as const) {
      const { page, markup } = await markupOf(path);
      const whole = `${statistics.address}/#dataset`;
      expect(markup["@id"], path).to.equal(`${statistics.address}${id}#dataset`);
      expect(markup.isPartOf?.["@id"], path).to.equal(id === "/" ? undefined : whole);
      expect([markup.version, markup.temporalCoverage], path).to.deep.equal([datasetVersion, years]);
      expect(
        markup.isBasedOn.map(({ name }) => name),
        path,
      ).to.deep.equal(sources);
      const { generated_at } = JSON.parse(await textOf("/v1/")).meta;
      expect(markup.dateModified, path).to.equal(generated_at);
      for (const { contentUrl, encodingFormat } of markup.distribution) {
        const response = await fetch(contentUrl);
        expect(response.status, contentUrl).to.equal(200);
        expect(response.headers.get("Content-Type"), contentUrl).to.include(encodingFormat);
      }
      for (const name of ["title", "description", "url", "type", "locale", "image"])
        expect(page, path).to.match(new RegExp(`<meta property="og:${name}" content="[^"]+">`));
    }
  });

  it("says what a place is", async () => {
    expect((await markupOf("/countries/DE/ar")).markup.spatialCoverage?.identifier).to.equal("DE");
    const { about } = (await markupOf("/institutions/02mhbdp94/en")).markup;
    expect(about?.["@id"]).to.equal("https://ror.org/02mhbdp94");
  });

  it("has a picture for links that are shared", async () => {
    const [, address = ""] = /"og:image" content="([^"]+)"/.exec(await textOf("/story/en")) ?? [];
    const response = await fetch(address);
    expect(response.headers.get("Content-Type")).to.equal("image/png");
    const picture = Buffer.from(await response.arrayBuffer());
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).to.deep.equal([1_200, 630]);
  });

  it("has a sitemap of pages that are there, which robots.txt names", async () => {
    const sitemap = /^Sitemap: (.*)$/m.exec(await textOf("/robots.txt"))?.[1] ?? "";
    const listed = await fetch(sitemap);
    expect(listed.headers.get("Content-Type")).to.match(/^application\/xml/);
    const addresses = [...(await listed.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, one]) => one ?? "");
    expect(addresses).to.have.length((4 + 249 + 26) * LANGUAGE_TAGS.length);
    for (const address of addresses.filter((_, index) => index % 97 === 0))
      expect((await fetch(address, { method: "HEAD" })).status, address).to.equal(200);
  });
});
