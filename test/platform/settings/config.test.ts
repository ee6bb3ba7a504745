import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { readConfig, SETTINGS } from "../../../src/platform/config.ts";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import type { SettingCase } from "./setting-case.ts";
import { CASES } from "./setting-cases.ts";

const folder = mkdtempSync(join(tmpdir(), "settings-"));

describe("decisions, Running it: environment", () => {
  after(() => rmSync(folder, { recursive: true }));

  it("has exactly the settings that are tested here", () => {
    expect(SETTINGS).to.deep.equal(Object.keys(CASES));
  });

  for (const [name, { member, fallback, beside, taken, refused }] of Object.entries(CASES)) {
    it(`${name}: ${JSON.stringify(fallback) ?? "nothing"} unless it is set; an empty value counts as not set`, () => {
      for (const environment of [{}, { [name]: "" }, { [name]: "  " }]) {
        expect(readConfig(environment)[member]).to.deep.equal(fallback);
      }
      for (const [value, read] of taken) {
        expect(readConfig({ ...beside, [name]: value })[member], value).to.deep.equal(read);
        expect(readConfig({ ...beside, [name]: ` ${value} ` })[member], "blanks around it").to.deep.equal(
          read,
        );
      }
    });

    if (refused.length === 0) continue;
    it(`${name}: a wrong value stops the start with a message that names it`, () => {
      for (const [value, says] of refused) {
        const message = refusal({ ...beside, [name]: value });
        expect(message, value).to.include(`${name}: `).and.to.match(says);
        expect(message.trim().split("\n"), "names nothing else").to.have.lengthOf(2);
      }
    });
  }

  it("names all settings that are wrong at once", () => {
    const message = refusal({ ENGINE_PORT: "x", ROLES: "y", LOG_LEVEL: "z", HOST: "0.0.0.0" });
    for (const name of ["ENGINE_PORT", "ROLES", "LOG_LEVEL"]) expect(message).to.include(`${name}: `);
    expect(message).not.to.include("HOST");
  });

  it("multiplies all limits on waiting by one factor", () => {
    expect(readConfig({})).to.include({
      uploadsWaitingMax: 20,
      checksWaitingMax: 1_000,
      batchMembersMax: 10_000,
      membersWaitingMax: 20_000,
    });
    expect(readConfig({ WAITING_FACTOR: "0.02" })).to.include({
      uploadsWaitingMax: 1,
      checksWaitingMax: 20,
      batchMembersMax: 200,
      membersWaitingMax: 400,
    });
  });

  it("reads the sources of the statistics from a file, and names what is wrong in it", () => {
    const { openalexUrl, gdeltUrl } = readConfig({ STATISTICS_SOURCES: sourcesFile(MIRROR) });
    expect({ openalexUrl, gdeltUrl }).to.deep.equal({
      openalexUrl: MIRROR.openalexUrl,
      gdeltUrl: readConfig({}).gdeltUrl,
    });
    for (const [wrong, says] of [
      [{ gdeltUrl: "ftp://mirror.example/" }, /gdeltUrl must be a URL that starts with http/],
      [{ wikipediaCasePages: [] }, /wikipediaCasePages must name at least one page/],
      [{ openalexCountedTypes: ["article|review"] }, /openalexCountedTypes 0 must be types of works/],
      [{ openalexURL: "https://mirror.example" }, /openalexURL/],
    ] as const)
      expect(refusal({ STATISTICS_SOURCES: sourcesFile(wrong) })).to.match(says);
  });

  it("reads what is left out of all reports from a file, and names what is wrong in it", () => {
    const id = "0190f3a0-0000-7000-8000-000000000001";
    const documented = { collections: ["forms"], phrases: ["I hereby declare that"], sections: ["abstract"] };
    const file = sourcesFile({ sources: [id.toUpperCase()], ...documented });
    expect(readConfig({ STANDING_EXCLUSIONS: file }).standingExclusions).to.deep.equal({
      sources: [id],
      ...documented,
    });
    for (const [wrong, says] of [
      [{ sources: ["thesis.pdf"] }, /STANDING_EXCLUSIONS: sources 0 must be identifiers of documents/],
      [{ phrases: [" "] }, /STANDING_EXCLUSIONS: phrases 0 /],
      [{ phrase: ["x"] }, /STANDING_EXCLUSIONS: .*phrase/],
    ] as const)
      expect(refusal({ STANDING_EXCLUSIONS: sourcesFile(wrong) })).to.match(says);
    expect(refusal({ STANDING_EXCLUSIONS: "/no/such/file" })).to.match(/must name a JSON file/);
  });

  it("takes the address and the model of an embedding server only together", () => {
    expect(refusal({ EMBEDDINGS_URL: "http://localhost:8000/v1" })).to.match(/EMBEDDINGS_MODEL: must name/);
    expect(refusal({ EMBEDDINGS_MODEL: "bge-m3" })).to.match(/EMBEDDINGS_URL: must be the address/);
  });

  it("takes addresses of webhooks only with a secret, and a secret only with addresses", () => {
    expect(refusal({ WEBHOOK_URLS: "https://lms.example/hooks" })).to.match(
      /WEBHOOK_SECRET: must be set with WEBHOOK_URLS.*openssl rand/,
    );
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    expect(refusal({ WEBHOOK_SECRET: secret })).to.match(/WEBHOOK_URLS: must name the addresses/);
  });

  it("takes the port of the core api only with its public address and its keys", () => {
    const message = refusal({ CORE_API_PORT: "8082" });
    expect(message).to.match(/CORE_API_PUBLIC_URL: must be set with CORE_API_PORT/);
    expect(message).to.match(/CORE_API_KEYS_FILE: must be set with CORE_API_PORT: `npm run core-api:key/);
  });

  it("does not print a password that stands in a wrong URL", () => {
    expect(refusal({ DATABASE_URL: "mysql://me:secret@db.example/checks" })).not.to.include("secret");
  });

  it("is listed in docs/configuration.md, in this order and with these defaults", () => {
    const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|(?: `([^`]*)`)? \|/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const defaults = Object.entries(CASES).map(([name, { taken, fallback }]) => [
      name,
      written(name, fallback, taken),
    ]);
    expect(rows).to.deep.equal(defaults);
  });
});

const MIRROR = { openalexUrl: "https://mirror.example/openalex" };

function sourcesFile(content: object): string {
  const path = join(folder, "sources.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

function refusal(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return expect.fail(`taken: ${JSON.stringify(environment)}`);
}

/** A default as it would be written in the environment. */
function written(name: string, fallback: unknown, taken: SettingCase["taken"]): string | undefined {
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return undefined;
  if (name === "CHECK_TIME_BUDGET_SECONDS" || name === "OCR_PAGE_SECONDS")
    return String(Number(fallback) / 1_000);
  if (Array.isArray(fallback)) return fallback.join(",");
  return taken.find(([, read]) => read === fallback)?.[0] ?? String(fallback);
}
