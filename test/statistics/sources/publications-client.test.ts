import { expect } from "chai";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { fetchPublications } from "../../../src/statistics/sources/publications/fetch-publications.ts";
import { publicationCounts } from "../../../src/statistics/sources/publications/publication-counts.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { NOON, useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

type Group = { readonly key: string; readonly count: number };

const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  "authorships.countries": [
    { key: "https://openalex.org/countries/CH", count: 30 },
    { key: "DE", count: 50 },
    { key: "https://openalex.org/countries/YU", count: 4 },
    { key: "unknown", count: 70 },
    { key: "JP", count: 20 },
  ],
  "authorships.institutions.ror": [
    { key: "https://ror.org/05a28rw58", count: 12 },
    { key: "https://ror.org/03yrm5c26", count: 7 },
    { key: "https://ror.org/02nr0ka47", count: 2 },
  ],
  "primary_topic.field.id": [
    { key: "https://openalex.org/fields/27", count: 11 },
    { key: "https://openalex.org/fields/17", count: 9 },
  ],
};

const PER_PAGE = 2;

/** Pages like OpenAlex: a page that is not full is padded with other groups and 0, and only the page after the last has no cursor. */
function counting({ parameters }: Question): SourceReply {
  const all = GROUPS[parameters.get("group_by") ?? ""] ?? [];
  const cursor = parameters.get("cursor") ?? "";
  const from = cursor === "*" ? 0 : Number(atob(cursor));
  const page = all.slice(from, from + PER_PAGE);
  const padding = all.slice(0, PER_PAGE - page.length).map(({ key }) => ({ key, count: 0 }));
  const next = page.length === 0 ? null : btoa(String(from + page.length));
  const groups = [...page, ...padding].map((group) => ({ ...group, key_display_name: "A name" }));
  return { body: { meta: { count: 1_000, next_cursor: next }, group_by: groups } };
}

const YEARS = 20;

describe("counting publications with OpenAlex", () => {
  const contexts = useFetchContext();

  async function countsIn(file: string) {
    const counts = await Array.fromAsync(publicationCounts(await inspectFile(file), () => undefined));
    return counts.map(
      ({ dimension, key, year, publications }) => `${dimension} ${key} ${year} ${publications}`,
    );
  }

  it("counts every group of every page once, for each of the last 20 whole years", async () => {
    await withSource(counting, async (server) => {
      const { file, origin, notes } = await fetchPublications(contexts.on(server));
      const counts = await countsIn(file);
      expect(counts.filter((count) => / 2025 /.test(count))).to.deep.equal([
        "country CH 2025 30",
        "country DE 2025 50",
        "country JP 2025 20",
        "discipline 27 2025 11",
        "discipline 17 2025 9",
        "institution https://ror.org/05a28rw58 2025 12",
        "institution https://ror.org/03yrm5c26 2025 7",
        "institution https://ror.org/02nr0ka47 2025 2",
      ]);
      expect(counts).to.have.length(8 * YEARS);
      expect(counts.filter((count) => / 2006 /.test(count))).to.have.length(8);
      expect(server.questions[0]?.parameters.get("filter")).to.equal(
        "type:article|review|conference-paper,is_paratext:false,publication_year:2006",
      );
      expect(origin).to.deep.equal({
        name: "OpenAlex (publications: article, review, conference-paper)",
        license: "CC0-1.0",
        url: `${server.base}/openalex/works?filter=type%3Aarticle%7Creview%7Cconference-paper%2Cis_paratext%3Afalse`,
      });
      expect(notes[1]).to.match(/left out.*countries\/YU/);
    });
  });

  it("goes on where it was broken off, also days later", async () => {
    let left = 31;
    const seen: string[] = [];
    await withSource(
      (question) => {
        if (left-- <= 0) return { status: 429, headers: { "retry-after": "40000" }, body: "" };
        const { parameters } = question;
        seen.push(`${parameters.get("group_by")} ${parameters.get("filter")} ${parameters.get("cursor")}`);
        return counting(question);
      },
      async (server) => {
        expect(await refusal(fetchPublications(contexts.on(server)))).to.match(/next refresh resumes/);
        left = 10_000;
        const later = new Date("2026-12-31T23:00:00Z");
        const { file } = await fetchPublications(contexts.on(server, { now: later }));
        expect(new Set(seen).size, "nothing is asked twice").to.equal(seen.length);
        expect(await countsIn(file)).to.have.length(8 * YEARS);
      },
    );
  });

  it("says how much is done, how long the rest takes, and when that needs a key", async () => {
    let left = 45;
    const limited = (question: Question) =>
      left-- <= 0 ? { status: 429, headers: { "retry-after": "40000" }, body: "" } : counting(question);
    await withSource(limited, async (server) => {
      const message = await refusal(
        fetchPublications(contexts.on(server, { settings: { openalexApiKey: undefined } })),
      );
      // 20 years of countries take three requests each; nothing of the institutions is known yet.
      expect(message).to.match(
        /45 of about 8120 requests of the count are done; at this pace the rest takes 180 days\./,
      );
      expect(message).to.match(/free key of OpenAlex in OPENALEX_API_KEY/);
      expect(message).to.match(/after the end of the year, when the count starts anew: it needs a key/);
      left = 100;
      const nextDay = new Date(NOON.getTime() + 86_400_000);
      const later = await refusal(fetchPublications(contexts.on(server, { now: nextDay })));
      expect(later).to.match(
        /145 of about 1\d\d requests of the count are done; at this pace the rest takes 1 day\./,
      );
      expect(later).not.to.match(/end of the year/);
    });
  });

  it("begins anew when the year changes during a count, because another year is wanted", async () => {
    let left = 31;
    await withSource(
      (question) => (left-- <= 0 ? { status: 403, body: "no" } : counting(question)),
      async (server) => {
        await refusal(fetchPublications(contexts.on(server)));
        left = 10_000;
        await fetchPublications(contexts.on(server, { now: new Date("2027-01-01T00:00:00Z") }));
        const filters = server.questions.slice(32).map(({ parameters }) => parameters.get("filter"));
        expect(filters[0]).to.match(/publication_year:2007$/);
      },
    );
  });

  it("keeps a finished count for a month, and counts anew when what counts has changed", async () => {
    await withSource(counting, async (server) => {
      const first = await fetchPublications(contexts.on(server));
      const asked = server.questions.length;
      const nextDay = new Date(NOON.getTime() + 86_400_000);
      const second = await fetchPublications(contexts.on(server, { now: nextDay }));
      expect(server.questions).to.have.length(asked);
      expect(second.retrievedAt).to.deep.equal(first.retrievedAt);

      const settings = { openalexCountedTypes: ["article"] };
      await fetchPublications(contexts.on(server, { settings }));
      expect(server.questions.at(-1)?.parameters.get("filter")).to.equal(
        "type:article,is_paratext:false,publication_year:2025",
      );
      expect(server.questions).to.have.length(2 * asked);

      const nextMonth = new Date(NOON.getTime() + 31 * 86_400_000);
      await fetchPublications(contexts.on(server, { settings, now: nextMonth }));
      expect(server.questions).to.have.length(3 * asked);
    });
  });
});
