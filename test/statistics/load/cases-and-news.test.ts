import { expect } from "chai";
import { useStatistics } from "../loaded-statistics.ts";

const REF = "<ref>A newspaper</ref>";

describe("decisions, Statistics: cases and news when they are loaded", () => {
  const statistics = useStatistics();
  const { load, write, store } = statistics;

  const loadList = async (revid: number, ...entries: string[]) => {
    const wikitext = ["== Physics ==", ...entries].join("\n");
    await load({
      cases: await write("C.json", JSON.stringify({ parse: { title: "List of A & B", revid, wikitext } })),
    });
  };

  const writeNews = (articles: readonly object[], data: readonly object[]) =>
    write("N.json", JSON.stringify({ articles: { articles }, timeline: { timeline: [{ data }] } }));

  const article = (name: string, seendate: string) => ({
    url: `https://example.org/${name}`,
    title: name,
    seendate,
  });

  it("have cases with the revision that they were taken from", async () => {
    await loadList(
      41,
      `* '''Ada''' (Italy) copied a book in 2001.${REF}`,
      `* '''Bob''' copied a speech.${REF}`,
      `* '''Cleo''' fabricated data.${REF}`,
    );
    const [ada, bob] = await store.cases(statistics.database, undefined);
    expect(ada).to.deep.include({
      type: "book",
      title: "Ada",
      year: 2001,
      countries: ["IT"],
      discipline: "Physics",
      institution: null,
      finding: "stated",
      statement: "Ada (Italy) copied a book in 2001.",
      outcome: null,
      summary: "Ada (Italy) copied a book in 2001.",
      source: {
        page_title: "List of A & B",
        revision_id: 41,
        revised_at: null,
        url: "https://en.wikipedia.org/w/index.php?title=List_of_A_%26_B&oldid=41",
        license: "CC-BY-SA-4.0",
      },
    });
    expect(await store.cases(statistics.database, "other")).to.deep.equal([bob]);
  });

  it("are of the revision and of the wiki that the file names", async () => {
    const wikitext = `* '''Eva''' (Deutschland) verlor den Doktorgrad wegen eines Plagiats.${REF}`;
    const page = { parse: { title: "Liste", revid: 51, wikitext }, revised_at: "2026-10-02T03:04:05Z" };
    const answer = { ...page, wiki: "https://de.wikipedia.org/w/index.php" };
    await load({ cases: await write("de.json", JSON.stringify([answer])) });
    const [eva] = await store.cases(statistics.database, undefined);
    expect(eva?.source).to.include({
      revised_at: "2026-10-02T03:04:05.000Z",
      url: "https://de.wikipedia.org/w/index.php?title=Liste&oldid=51",
    });
    const { sources } = await store.dataset(statistics.database);
    expect(sources.find(({ id }) => id === "wikipedia")?.newest_record).to.equal("2026-10-02");
    await loadList(41, `* '''Ada''' (Italy) copied a book in 2001.${REF}`);
  });

  it("are told apart where two wikis have pages and entries of the same names", async () => {
    const wikitext = `* '''Eva''' plagiarised a book.${REF}`;
    const pages = ["https://en.wikipedia.org/w/index.php", "https://wiki.example/index.php"].map((wiki) => ({
      ...{ wiki, parse: { title: "List", revid: 51, wikitext } },
    }));
    await load({ cases: await write("two.json", JSON.stringify(pages)) });
    const cases = await store.cases(statistics.database, undefined);
    expect(cases.map(({ source }) => source.url)).to.deep.equal(
      pages.map(({ wiki }) => `${wiki}?title=List&oldid=51`),
    );
    expect(new Set(cases.map(({ case_id }) => case_id)).size).to.equal(2);
    await loadList(41, `* '''Ada''' (Italy) copied a book in 2001.${REF}`);
  });

  it("are not shown when an earlier release loaded them, which did not ask what they are about", async () => {
    const { database } = statistics;
    await database.query("update statistics_cases set statement = null, finding = null");
    expect(await store.cases(database, undefined)).to.deep.equal([]);
    await loadList(43, `* '''Ada''' (Italy) copied a book in 2001.${REF}`);
  });

  it("lose a case that is gone upstream, and know the others again", async () => {
    const [ada] = await store.cases(statistics.database, undefined);
    await loadList(42, `* '''Ada''' (Italy) copied two books.${REF}`);
    const cases = await store.cases(statistics.database, undefined);
    expect(cases.map(({ case_id }) => case_id)).to.deep.equal([ada?.case_id]);
    const { sources } = await store.dataset(statistics.database);
    expect(sources.find(({ id }) => id === "wikipedia")?.version).to.equal("42");
  });

  it("add up months, and leave a gap a gap", async () => {
    const data = [
      { date: "20251231T000000Z", value: 1, norm: 100 },
      { date: "20260101T000000Z", value: 2, norm: 100 },
      { date: "20260115T000000Z", value: 4, norm: 200 },
      { date: "20260301T000000Z", value: 0, norm: 0 },
    ];
    await load({
      news: await writeNews([article("a", "20260115T093000Z"), article("b", "20260116T093000Z")], data),
    });
    const { series, articles } = await store.news(statistics.database);
    expect(series).to.deep.equal([
      { month: "2025-12", mentions: 1, monitored: 100, share: 0.01 },
      { month: "2026-01", mentions: 6, monitored: 300, share: 0.02 },
      { month: "2026-02", mentions: null, monitored: null, share: null },
      { month: "2026-03", mentions: 0, monitored: 0, share: null },
    ]);
    expect(articles.map(({ title, seen_at }) => [title, seen_at])).to.deep.equal([
      ["b", "2026-01-16T09:30:00.000Z"],
      ["a", "2026-01-15T09:30:00.000Z"],
    ]);
  });

  it("keep earlier news when they accumulate, each address and day once", async () => {
    const news = await writeNews(
      [article("a", "20260301T000000Z"), article("c", "20260302T000000Z")],
      [
        { date: "20260115T000000Z", value: 5, norm: 250 },
        { date: "20260101T090000Z", value: 1, norm: 50 },
      ],
    );
    const first = await load({ news }, { accumulatesNews: true });
    const { series, articles } = await store.news(statistics.database);
    expect(series[1]).to.deep.equal({ month: "2026-01", mentions: 7, monitored: 350, share: 0.02 });
    expect(articles.map(({ title }) => title)).to.deep.equal(["c", "b", "a"]);
    expect(articles.at(-1)?.seen_at).to.equal("2026-01-15T09:30:00.000Z");
    const again = await load({ news }, { accumulatesNews: true });
    expect(again.datasetVersion).to.equal(first.datasetVersion);
  });

  it("have the same version whatever time zone the database is set to", async () => {
    const versionIn = async (zone: string) => {
      await load({ news: await writeNews([], []) });
      await statistics.database.query(`set timezone to '${zone}'`);
      const data = [{ date: "20260101T000000Z", value: 1, norm: 50 }];
      const news = await writeNews([article("a", "20260301T233000Z")], data);
      const { datasetVersion } = await load({ news }, { accumulatesNews: true });
      const { articles } = await store.news(statistics.database);
      expect(articles.map(({ seen_at }) => seen_at)).to.deep.equal(["2026-03-01T23:30:00.000Z"]);
      return datasetVersion;
    };
    expect(await versionIn("Asia/Tokyo")).to.equal(await versionIn("UTC"));
  });

  it("put articles of one moment in the order of their addresses, which no language decides", async () => {
    const names = ["b", "B", "a", "_", "A", "1"];
    await load({
      news: await writeNews(
        names.map((name) => article(name, "20260301T000000Z")),
        [],
      ),
    });
    const { articles } = await store.news(statistics.database);
    expect(articles.map(({ title }) => title)).to.deep.equal(["1", "A", "B", "_", "a", "b"]);
  });

  it("show the 250 newest articles", async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      article(
        String(index),
        `20260101T${String(Math.floor(index / 60)).padStart(2, "0")}${String(index % 60).padStart(2, "0")}00Z`,
      ),
    );
    await load({ news: await writeNews(many, []) });
    const { articles, series } = await store.news(statistics.database);
    expect(articles).to.have.length(250);
    expect(articles[0]?.title).to.equal("299");
    expect(series).to.deep.equal([]);
  });
});
