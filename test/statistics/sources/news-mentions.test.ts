import { expect } from "chai";
import { newsMentions } from "../../../src/statistics/sources/news/news-mentions.ts";
import { refusal, withFile } from "../written-file.ts";

const ARTICLE = {
  url: "https://example.org/a",
  url_mobile: "",
  title: "A  title ,  spaced",
  seendate: "20260115T093000Z",
  socialimage: "",
  domain: "example.org",
  language: "English",
  sourcecountry: "United States",
};

const POINT = { date: "20260115T000000Z", value: 3, norm: 1000 };

const readText = (text: string) => withFile("N.json", text, (input) => newsMentions(input, () => undefined));
const read = (articles: unknown, timeline?: unknown) => readText(JSON.stringify({ articles, timeline }));
const timelineOf = (...data: object[]) => ({
  query_details: {},
  timeline: [{ series: "Article Count", data }],
});

describe("decisions, Statistics and Running it: GDELT's answers", () => {
  it("are read whole, or as the lists in them", async () => {
    const whole = await read({ articles: [ARTICLE] }, timelineOf(POINT));
    expect(whole).to.deep.equal({
      articles: [
        {
          seenAt: "2026-01-15T09:30:00.000Z",
          title: "A title , spaced",
          url: "https://example.org/a",
          domain: "example.org",
          language: "English",
          countryCode: "US",
        },
      ],
      timeline: [{ at: "2026-01-15T00:00:00.000Z", mentions: 3, monitored: 1000 }],
    });
    expect(await read([ARTICLE], [{ data: [POINT] }])).to.deep.equal(whole);
    expect(await read({}, {})).to.deep.equal({ articles: [], timeline: [] });
    expect((await read([ARTICLE])).timeline).to.deep.equal([]);
  });

  it("have titles without entities, however often and with whatever spaces they were written", async () => {
    for (const [written, title] of [
      ["AT &amp; T", "AT & T"],
      ["AT &amp;amp; T", "AT & T"],
      ["Dean &#39; s thesis &#x2013; copied", "Dean ' s thesis – copied"],
      ["&quot;Copied&amp;quot;", '"Copied"'],
      ["R & amp ; D & # 39 ; s", "R & D ' s"],
      ["Q & A ; and R &D; x", "Q & A ; and R &D; x"],
      ["1 &lt; 2", "1 < 2"],
    ]) {
      expect((await read([{ ...ARTICLE, title: written }])).articles[0]?.title, written).to.equal(title);
    }
  });

  it("count one address and one moment once, in whatever order they come", async () => {
    const later = { ...ARTICLE, seendate: "20260116T093000Z", title: "Again" };
    const points = [POINT, { ...POINT, value: 5, norm: 2000 }, POINT, { ...POINT, date: "20260114T000000Z" }];
    const forth = await read([later, ARTICLE, later], timelineOf(...points));
    expect(forth.articles.map(({ title }) => title)).to.deep.equal(["A title , spaced"]);
    expect(forth.timeline.map(({ mentions }) => mentions)).to.deep.equal([3, 5]);
    expect(await read([ARTICLE, later], timelineOf(...points.toReversed()))).to.deep.equal(forth);
  });

  it("add up the hours of a day to the day, each hour once", async () => {
    const hours = ["000000", "010000", "234500", "010000"].map((time) => ({
      ...{ date: `20260115T${time}Z`, value: 2, norm: 100 },
    }));
    const { timeline } = await read([], timelineOf(...hours, { ...POINT, date: "20260114T090000Z" }));
    expect(timeline).to.deep.equal([
      { at: "2026-01-14T00:00:00.000Z", mentions: 3, monitored: 1000 },
      { at: "2026-01-15T00:00:00.000Z", mentions: 6, monitored: 300 },
    ]);
  });

  it("lose articles and moments at dates that do not exist, and articles without title or address", async () => {
    const dates = ["20260230T000000Z", "20261301T000000Z", "20260115T250000Z", "2026-01-15", ""];
    const bad = [
      ...dates.map((seendate, index) => ({ ...ARTICLE, url: `https://example.org/${index}`, seendate })),
      { ...ARTICLE, url: "javascript:alert(1)" },
      { ...ARTICLE, url: "https://example.org/b", title: " " },
    ];
    const { articles, timeline } = await read(bad, timelineOf(...dates.map((date) => ({ ...POINT, date }))));
    expect({ articles, timeline }).to.deep.equal({ articles: [], timeline: [] });
  });

  it("name countries in GDELT's own way, and places that are no country", async () => {
    const codeOf = async (sourcecountry: string) =>
      (await read([{ ...ARTICLE, sourcecountry }])).articles[0]?.countryCode;
    expect(await codeOf("Bosnia-Herzegovina")).to.equal("BA");
    expect(await codeOf("Czechoslovakia"), "GDELT's name for Slovakia").to.equal("SK");
    expect(await codeOf("Virgin Islands"), "those of the United States").to.equal("VI");
    for (const none of ["Oceans", "Spratly Islands", "Netherlands Antilles", ""]) {
      expect(await codeOf(none), none).to.equal(undefined);
    }
  });

  it("may hold what is illegal in JSON", async () => {
    const text = JSON.stringify({ articles: [ARTICLE] }).replace("A  title", "A\u0001\n\\xtitle \u0002");
    expect((await readText(text)).articles[0]?.title).to.equal("A \\xtitle , spaced");
  });

  it("are refused when GDELT answered with a sentence, or in another shape", async () => {
    const sentence = "Your query was too short or too long.";
    expect(await refusal(read(sentence))).to.equal(`N.json, column articles: GDELT answered: "${sentence}".`);
    expect(await refusal(readText(sentence))).to.match(/^N\.json.*: this is not valid JSON/);
    expect(await refusal(readText("{}"))).to.match(/^N\.json: there is neither/);
    expect(await refusal(read([{ ...ARTICLE, url: 7 }]))).to.match(/^N\.json, row 1, column articles\.url: /);
    expect(await refusal(read([], timelineOf({ ...POINT, value: "3" })))).to.match(
      /^N\.json, row 1, column timeline\.value: /,
    );
  });
});
