import { appendFile, readFile } from "node:fs/promises";
import { expect } from "chai";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { fetchWorks } from "../../../src/statistics/sources/openalex/fetch-works.ts";
import { retractedWorks } from "../../../src/statistics/sources/openalex/retracted-works.ts";
import { type Question, type SourceReply, withSource } from "../../support/servers/source-server.ts";
import { useFetchContext } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";

const ROR = "https://ror.org/05a28rw58";

function dois(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.1000/paper.${String(index).padStart(4, "0")}`);
}

/** A work as OpenAlex gives it, with more than is needed. */
function work(doi: string, authors = 1) {
  const institutions = [{ id: "https://openalex.org/I1", ror: ROR, display_name: "ETH", country_code: "CH" }];
  return {
    id: "https://openalex.org/W1",
    doi: `https://doi.org/${doi.toUpperCase()}`,
    publication_year: 2015,
    authorships: Array.from({ length: authors }, () => ({ raw_author_name: "A. Author", institutions })),
    primary_topic: { id: "https://openalex.org/T1", field: { id: "https://openalex.org/fields/27" } },
  };
}

function filtered({ parameters }: Question): string[] {
  return (parameters.get("filter") ?? "").replace(/^doi:/, "").split("|");
}

/** Knows all papers but those named, and gives two works a page. */
function knowing(question: Question, unknown: readonly string[] = []): SourceReply {
  if (question.path.startsWith("/openalex/works/doi:")) {
    const doi = question.path.slice("/openalex/works/doi:".length);
    return unknown.includes(doi) ? { status: 404, body: { error: "Not found" } } : { body: work(doi) };
  }
  const wanted = filtered(question).filter((doi) => !unknown.includes(doi));
  const cursor = question.parameters.get("cursor") ?? "";
  const from = cursor === "*" ? 0 : Number(cursor);
  const results = wanted.slice(from, from + 2).map((doi) => work(doi));
  return { body: { meta: { next_cursor: results.length === 0 ? null : String(from + 2) }, results } };
}

describe("asking OpenAlex about retracted papers", () => {
  const contexts = useFetchContext();

  async function worksOf(file: string) {
    return Array.fromAsync(retractedWorks(await inspectFile(file), () => undefined));
  }

  it("asks for 50 DOIs at once and for what is needed of a work, follows the cursor, and says who asks", async () => {
    await withSource(
      (question) => knowing(question),
      async (server) => {
        const context = contexts.on(server, { settings: { openalexApiKey: "k" } });
        const { file, notes } = await fetchWorks(context, dois(52));
        expect((await worksOf(file)).map(({ doi }) => doi)).to.deep.equal(dois(52));
        expect((await worksOf(file))[0]).to.deep.equal({
          doi: dois(1)[0],
          publicationYear: 2015,
          institutions: [{ ror: ROR, name: "ETH", countryCode: "CH" }],
          fieldId: 27,
        });
        expect(notes).to.deep.equal(["OpenAlex has 52 of 52 papers; 52 were requested"]);
        const first = server.questions[0];
        expect(filtered(first ?? expect.fail())).to.have.length(50);
        expect(Object.fromEntries(first?.parameters ?? [])).to.include({
          select: "doi,publication_year,authorships,primary_topic",
          per_page: "100",
          cursor: "*",
          api_key: "k",
          mailto: "ops@example.org",
        });
        expect(await readFile(file, "utf8")).not.to.include("raw_author_name");
      },
    );
  });

  it("asks singly about DOIs that a filter can't hold, and gets all authors of a list that was cut", async () => {
    const odd = "10.1000/a,b|c";
    await withSource(
      (question) =>
        question.path === "/openalex/works"
          ? {
              body: {
                meta: { next_cursor: null },
                results: filtered(question).map((doi) => work(doi, 100)),
              },
            }
          : { body: work(question.path.slice("/openalex/works/doi:".length), 150) },
      async (server) => {
        const { file } = await fetchWorks(contexts.on(server), [odd, ...dois(2)]);
        const lines = (await readFile(file, "utf8")).trim().split("\n");
        expect(lines.map((line) => JSON.parse(line).authorships.length)).to.deep.equal([150, 150, 150]);
        expect((await worksOf(file)).map(({ doi }) => doi)).to.include(odd);
      },
    );
  });

  it("takes a filter apart that OpenAlex refuses, so that one odd DOI hides no other", async () => {
    const [good = "", bad = ""] = dois(2);
    await withSource(
      (question) =>
        question.path === "/openalex/works" || question.path.endsWith(bad)
          ? { status: 400, body: { error: "Invalid query parameters error." } }
          : knowing(question),
      async (server) => {
        const { file } = await fetchWorks(contexts.on(server), [good, bad]);
        expect((await worksOf(file)).map(({ doi }) => doi)).to.deep.equal([good]);
      },
    );
  });

  it("fails when it is not the DOIs that OpenAlex refuses", async () => {
    await withSource(
      () => ({ status: 400, body: { message: "select is not valid" } }),
      async (server) => {
        expect(await refusal(fetchWorks(contexts.on(server), dois(3)))).to.match(
          /status 400: .*select is not valid/,
        );
      },
    );
  });

  it("goes on after the day's allowance was used up, and says what to do", async () => {
    let allowed = 1;
    await withSource(
      (question) => {
        if (question.parameters.get("cursor") === "*" && allowed-- <= 0)
          return { status: 429, headers: { "retry-after": "50000" }, body: { error: "Rate limit exceeded" } };
        return knowing(question);
      },
      async (server) => {
        const reason = await refusal(fetchWorks(contexts.on(server), dois(100)));
        expect(reason).to.match(/asks for a wait of 50000 s.*next refresh resumes.*OPENALEX_API_KEY/);
        allowed = 1;
        const before = server.questions.length;
        const { file, notes } = await fetchWorks(contexts.on(server), dois(100));
        expect(filtered(server.questions[before] ?? expect.fail())).to.deep.equal(dois(100).slice(50));
        expect(await worksOf(file)).to.have.length(100);
        expect(notes).to.deep.equal(["OpenAlex has 100 of 100 papers; 50 were requested"]);
      },
    );
  });

  it("asks about new papers at once, and about others after a month; the file stays the same byte for byte", async () => {
    const [unknown = ""] = dois(1);
    await withSource(
      (question) => knowing(question, [unknown]),
      async (server) => {
        const first = await fetchWorks(contexts.on(server), dois(3));
        const bytes = await readFile(first.file);
        const asked = server.questions.length;
        await fetchWorks(contexts.on(server), dois(3).toReversed());
        expect(server.questions).to.have.length(asked);
        expect(await readFile(first.file)).to.deep.equal(bytes);

        await fetchWorks(contexts.on(server), dois(5));
        expect(filtered(server.questions[asked] ?? expect.fail())).to.deep.equal(dois(5).slice(3));

        const later = server.questions.length;
        await fetchWorks(contexts.on(server, { now: new Date("2026-12-22T12:00:00Z") }), dois(3));
        expect(filtered(server.questions[later] ?? expect.fail())).to.deep.equal(dois(3));
        expect(await readFile(first.file)).to.deep.equal(bytes);
      },
    );
  });

  it("survives a kill while an answer is being kept", async () => {
    await withSource(
      (question) => knowing(question),
      async (server) => {
        const context = contexts.on(server);
        await fetchWorks(context, dois(2));
        await appendFile(await context.folder.file("answers.jsonl"), '{"doi":"10.1000/paper.00');
        const { file } = await fetchWorks(context, dois(3));
        expect(await worksOf(file)).to.have.length(3);
      },
    );
  });
});
