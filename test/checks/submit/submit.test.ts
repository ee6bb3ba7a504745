import { createHash } from "node:crypto";
import { expect } from "chai";
import { Submitted } from "../../../src/checks/api/schema.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { PARAGRAPHS } from "../../support/work/paragraphs.ts";
import { prose } from "../../support/work/prose.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RFC3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("POST /v1/checks", () => {
  const engine = useEngine();

  const submit = (body: unknown) => engine.client.json("POST", "/v1/checks", body);

  describe("specification 1: what the service does", () => {
    it("takes plain JSON text, runs the check in the background, and gives score, passages and documents", async () => {
      const copied = prose(101, 60);
      const document = await engine.client.addDocument(
        "source.txt",
        `${prose(102, 80)} ${copied} ${prose(103, 80)}`,
      );
      const queryText = `${prose(104, 40)} ${copied} ${prose(105, 40)}`;
      const checkId = await engine.client.submit(queryText);
      expect((await engine.client.ended(checkId)).status).to.equal("complete");
      const report = await engine.client.report(checkId);
      const [[start, end] = []] = report.unique_passages;
      expect(queryText.slice(start, end)).to.contain(copied);
      expect(report.sources.map((source) => source.source_document_id)).to.deep.equal([document.document_id]);
      expect(report.overall_similarity_pct).to.be.within(30, 60);
    });

    it("matches against both scopes, documents that were uploaded and those of the platform", async () => {
      const [ours, platforms] = [prose(111, 60), prose(112, 60)];
      const uploaded = await engine.client.addDocument("ours.txt", ours);
      const [ingested] = await engine.service.ingestDocuments([
        {
          origin: { scope: "platform", collection: "tests", path: "platform.txt" },
          filename: "platform.txt",
          title: "Platform",
          mediaType: "text/plain",
          language: "en",
          sourceUrl: null,
          sizeBytes: platforms.length,
          sha256: createHash("sha256").update(platforms).digest("hex"),
          text: platforms,
        },
      ]);
      const documentId = ingested?.document.documentId ?? "";
      await engine.service.fingerprintDocuments([documentId]);
      const report = await engine.client.checked(`${ours} ${prose(113, 30)} ${platforms}`);
      expect(report.sources.map((source) => source.source_document_id)).to.have.members([
        uploaded.document_id,
        documentId,
      ]);
    });
  });

  describe("specification 2.1 and 4.1: the submit response", () => {
    it("is 202 with a UUIDv7 and the relative paths of status, progress and report, and nothing else", async () => {
      const response = await submit({ query_text: "One short text." });
      expect(response.status).to.equal(202);
      expect(response.headers.get("content-type")).to.match(/^application\/json/);
      const body = Submitted.parse(await response.json());
      const path = `/v1/checks/${body.check_id}`;
      expect(body.check_id).to.match(UUID_V7);
      expect(body).to.deep.equal({
        check_id: body.check_id,
        status_url: path,
        progress_url: `${path}/progress`,
        report_url: `${path}/report`,
      });
      for (const url of [body.status_url, body.progress_url]) {
        expect((await engine.client.request(url)).status).to.equal(200);
      }
    });
  });

  describe("specification 2.1 and 8: query_text has 1 to 500,000 characters", () => {
    it("is accepted with one character and with 500,000 of them, counted as code points", async () => {
      for (const queryText of ["x", "😀".repeat(500_000)]) {
        const checkId = await engine.client.submit(queryText);
        const { status, char_count } = await engine.client.ended(checkId);
        expect([status, char_count]).to.deep.equal(["complete", [...queryText].length]);
      }
    });

    it("is 422 when it is empty or too long by one character, of either width", async () => {
      for (const queryText of ["", "x".repeat(500_001), "😀".repeat(500_001)]) {
        await expectProblem(await submit({ query_text: queryText }), 422, "invalid-input", ["query_text"]);
      }
    });

    it("is 422 when it is missing, null or no string", async () => {
      for (const body of [{}, { query_text: null }, { query_text: 7 }, { query_text: ["text"] }]) {
        await expectProblem(await submit(body), 422, "invalid-input", ["query_text"]);
      }
    });

    it("may hold no word at all: such a text is checked in full, and nothing matches", async () => {
      for (const queryText of [" ", "\n\n — … !", "😀"]) {
        const report = await engine.client.checked(queryText);
        expect(report).to.include({
          query_text: queryText,
          overall_similarity_pct: 0,
          word_count: 0,
          total_chunks: 0,
          coverage: "full",
        });
      }
    });
  });

  describe("specification 2.1: language", () => {
    it("defaults to en when it is left out or null", async () => {
      for (const more of [{}, { language: null }]) {
        expect((await engine.client.check(await engine.client.submit("Some text.", more))).language).to.equal(
          "en",
        );
      }
    });

    it("is detected in a text that tells it, and says so", async () => {
      const origins = async (text: string, more = {}) => {
        const check = await engine.client.check(await engine.client.submit(text, more));
        return [check.language, check.language_origin];
      };
      expect(await origins(PARAGRAPHS.de)).to.deep.equal(["de", "detected"]);
      expect(await origins(PARAGRAPHS.en)).to.deep.equal(["en", "detected"]);
      expect(await origins(PARAGRAPHS.de, { language: "en" })).to.deep.equal(["en", "stated"]);
      expect(await origins("Ein kurzer Text.")).to.deep.equal(["en", "default"]);
    });

    it("is taken in any case and kept in lower case (decisions, Engine: checks)", async () => {
      for (const [language, kept] of [
        ["DE", "de"],
        ["Fr", "fr"],
        ["ja", "ja"],
      ]) {
        expect(
          (await engine.client.check(await engine.client.submit("Text.", { language }))).language,
        ).to.equal(kept);
      }
    });

    it("is 422 when it is no ISO 639-1 code", async () => {
      for (const language of ["", "xx", "eng", "en-GB", "english", 5]) {
        await expectProblem(await submit({ query_text: "Text.", language }), 422, "invalid-input", [
          "language",
        ]);
      }
    });

    it("finds sentences and words in scripts without spaces", async () => {
      const queryText = "これは最初の文です。そしてこれは二番目の文であり、少しだけ長くなっています。";
      const { word_count } = await engine.client.check(
        await engine.client.submit(queryText, { language: "ja" }),
      );
      expect(word_count).to.be.within(10, 30);
    });
  });

  describe("decisions, Engine: checks: title", () => {
    it("is optional, has 1 to 200 characters, and null is the same as leaving it out", async () => {
      for (const title of ["T", "😀".repeat(200)]) {
        expect((await engine.client.check(await engine.client.submit("Text.", { title }))).title).to.equal(
          title,
        );
      }
      for (const more of [{}, { title: null }]) {
        expect((await engine.client.check(await engine.client.submit("Text.", more))).title).to.equal(null);
      }
      for (const title of ["", "x".repeat(201), 5]) {
        await expectProblem(await submit({ query_text: "Text.", title }), 422, "invalid-input", ["title"]);
      }
    });
  });

  describe("decisions, Both interfaces", () => {
    it("unknown members of the body are ignored", async () => {
      const response = await submit({
        query_text: "Text.",
        colour: "red",
        check_id: "mine",
        status: "complete",
      });
      expect(response.status).to.equal(202);
    });

    it("every fault of a body is named at once", async () => {
      const body = { query_text: "", language: "xx", title: "" };
      await expectProblem(await submit(body), 422, "invalid-input", ["query_text", "language", "title"]);
    });

    it("timestamps are RFC 3339 in UTC, and in the order in which things happen", async () => {
      const check = await engine.client.ended(await engine.client.submit("A text that is checked."));
      const times = [check.created_at, check.started_at, check.completed_at, check.updated_at];
      for (const time of times) expect(time).to.match(RFC3339_UTC);
      expect(times.toSorted()).to.deep.equal(times);
      expect(Date.now() - Date.parse(check.created_at)).to.be.within(-1_000, 120_000);
    });
  });

  describe("decisions, Characters and offsets", () => {
    it("query_text comes back exactly as submitted: nothing is trimmed or normalised", async () => {
      const queryText = "\ufeff  e\u0301 \u00e9 ﬁne\u00ad\r\n\tİstanbul\u200b “quoted” 😀\u2028 end \n\n";
      expect((await engine.client.checked(queryText)).query_text).to.equal(queryText);
    });

    it("a query_text with U+0000 is 422", async () => {
      await expectProblem(await submit({ query_text: "a\u0000b" }), 422, "invalid-input", ["query_text"]);
      const title = "a\u0000b";
      await expectProblem(await submit({ query_text: "ab", title }), 422, "invalid-input", ["title"]);
    });
  });
});
