import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { COUNTRIES, countryCodeOf, findCountry, REGIONS } from "../../../src/statistics/facts/countries.ts";
import { FIELDS } from "../../../src/statistics/facts/fields.ts";
import { needsSharedData, SHARED } from "../shared-statistics.ts";

describe("the facts that ship with the program", () => {
  it("knows each of its own names, and no other country by them", () => {
    for (const { code, name } of COUNTRIES) expect(countryCodeOf(name), name).to.equal(code);
  });

  it("knows countries however they are written", () => {
    const names = [
      "  united   states",
      "The Netherlands",
      "Cote d'Ivoire",
      "CÔTE D’IVOIRE",
      "St. Lucia",
      "Trinidad & Tobago",
    ];
    expect(names.map(countryCodeOf)).to.deep.equal(["US", "NL", "CI", "CI", "LC", "TT"]);
    expect(["UK", "U.S.", "USA", "UnitedStates", "Burma", "Turkey"].map(countryCodeOf)).to.deep.equal([
      "GB",
      "US",
      "US",
      "US",
      "MM",
      "TR",
    ]);
  });

  it("knows territories by the names of FIPS 10-4, which GDELT uses", () => {
    const names = {
      AU: ["Ashmore and Cartier Islands", "Coral Sea Islands"],
      BA: ["Bosnia-Herzegovina"],
      BL: ["Saint-Barthelemy Island"],
      CC: ["Cocos Keeling Islands"],
      CD: ["Democratic Republic of the Congo"],
      CG: ["Congo", "Congo, Republic of the"],
      CI: ["Cote dIvoire"],
      FK: ["Falkland Islands Islas Malvinas"],
      FR: ["Clipperton Island"],
      GS: ["South Georgia"],
      SJ: ["Jan Mayen", "Svalbard"],
      SK: ["Slovak Republic"],
      TF: ["French Southern and Antarctic Lands", "Bassas da India", "Europa Island", "Glorioso Islands"],
      UM: ["Baker Island", "Midway Islands", "Navassa Island", "Wake Island"],
      VN: ["Vietnam, Democratic Republic of"],
    };
    for (const [code, written] of Object.entries(names)) {
      for (const name of written) expect(countryCodeOf(name), name).to.equal(code);
    }
  });

  it("reads a name in UTF-8 that was once taken for another encoding", () => {
    expect(countryCodeOf("R\u00c3\u00a9union Island")).to.equal("RE");
  });

  it("takes no other word for a country", () => {
    for (const word of ["", "U", "Unknown", "Atlantis", "2011", "Bavaria", "–"]) {
      expect(countryCodeOf(word), word).to.equal(undefined);
    }
  });

  it("puts every country of ISO 3166-1 but Antarctica into a region that holds its sub-region", () => {
    expect(COUNTRIES.filter(({ isIso }) => isIso)).to.have.length(249);
    const without = COUNTRIES.filter(({ region, subregion }) => region === null || subregion === null);
    expect(without.map(({ code }) => code)).to.deep.equal(["AQ", "XK"]);
    for (const { region, subregion } of COUNTRIES) {
      if (subregion !== null) expect(REGIONS.find(({ slug }) => slug === subregion)?.parent).to.equal(region);
    }
  });
});

describe("decisions, Statistics: the facts beside the shared tables", () => {
  before(function () {
    needsSharedData(this);
  });

  it("resolves every name of the Retraction Watch file to the same code", () => {
    const rows = readTable(SHARED.countryNames, z.object({ rw_country: z.string(), iso2: z.string() }));
    expect(rows).to.have.length(181);
    for (const { rw_country, iso2 } of rows) {
      expect(countryCodeOf(rw_country) ?? "", rw_country).to.equal(iso2);
    }
  });

  it("has the same regions and sub-regions", () => {
    const Row = z.object({ iso2: z.string(), region_code: z.string(), subregion_code: z.string() });
    const m49 = new Map(REGIONS.map(({ slug, m49: code }) => [slug, code]));
    const rows = readTable(SHARED.regions, Row);
    expect(rows).to.have.length(249);
    for (const { iso2, region_code, subregion_code } of rows) {
      const country = findCountry(iso2);
      expect(m49.get(country?.region ?? "") ?? "", iso2).to.equal(region_code);
      expect(m49.get(country?.subregion ?? "") ?? "", iso2).to.equal(subregion_code);
    }
  });

  it("has the same fields in the same domains", () => {
    const Named = z.object({ id: z.string(), display_name: z.string() });
    const fields = z
      .array(Named.extend({ domain: Named }))
      .parse(JSON.parse(readFileSync(SHARED.fields, "utf8")));
    expect(
      fields.map(({ id, display_name, domain }) => ({
        fieldId: Number(id.split("/").at(-1)),
        name: display_name,
        domain: domain.display_name,
      })),
    ).to.deep.equal(FIELDS);
  });
});

function readTable<S extends z.ZodType>(file: string, row: S): z.output<S>[] {
  return z.array(row).parse(parse(readFileSync(file), { columns: true, bom: true }));
}
