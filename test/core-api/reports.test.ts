import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { makeZip } from "../extract/made-documents.ts";
import { prose } from "../support/work/prose.ts";
import { readJson, useCoreApi } from "./use-core-api.ts";

/** A submission in an assignment of a course. */
function within(owner: string, group: string | number, context: string | number) {
  return {
    owner,
    submitter: owner,
    metadata: {
      owners: [{ id: owner }],
      group: { id: group, type: "ASSIGNMENT" },
      group_context: { id: context },
    },
  };
}

const INDEXED = { indexing_settings: { add_to_index: true } };

function scoped(scope: string) {
  return { ...INDEXED, generation_settings: { auto_exclude_self_matching_scope: scope } };
}

describe("reports for plug-ins", function () {
  this.timeout(120_000);
  const api = useCoreApi();

  it("score a text against the corpus in whole numbers", async () => {
    await api.addDocument("source.txt", prose(30, 300));
    const half = `${prose(30, 300).split(" ").slice(0, 150).join(" ")} ${prose(31, 150)}`;
    const report = await api.first.report(half);
    expect(report.overall_match_percentage).to.be.within(40, 60);
    expect(report.publication_match_percentage).to.equal(report.overall_match_percentage);
    expect(report).to.include({ status: "COMPLETE", submitted_works_match_percentage: 0 });
    expect(report.top_matches[0]).to.include({ name: "source", source_type: "PUBLICATION" });
  });

  it("leave out quotations and short matches where the request says so", async () => {
    const source = prose(40, 200);
    await api.addDocument("quoted.txt", source);
    const words = source.split(" ");
    const text = `${prose(41, 100)} “${words.slice(20, 60).join(" ")}” ${prose(42, 100)}`;
    const { id } = await api.first.submit(text);
    expect((await api.first.check(id)).overall_match_percentage).to.be.above(5);
    const without = await api.first.check(id, { view_settings: { exclude_quotes: true } });
    expect(without.overall_match_percentage).to.equal(0);
    const long = await api.first.check(id, { view_settings: { exclude_small_matches: 100 } });
    expect(long.overall_match_percentage).to.equal(0);
  });

  it("own drafts do not score: everywhere, in the group or in the course, and for nobody else", async () => {
    const text = prose(50, 200);
    await api.first.report(text, INDEXED, within("ida", 1, "course"));
    const score = async (scope: string, more: object) =>
      (
        await api.first.report(
          text,
          { generation_settings: { auto_exclude_self_matching_scope: scope } },
          more,
        )
      ).overall_match_percentage;
    expect(await score("ALL", within("ida", 2, "other"))).to.equal(0);
    expect(await score("GROUP", within("ida", 1, "course"))).to.equal(0);
    expect(await score("GROUP", within("ida", 2, "course"))).to.equal(100);
    expect(await score("GROUP_CONTEXT", within("ida", 2, "course"))).to.equal(0);
    expect(await score("GROUP_CONTEXT", within("ida", 1, "other"))).to.equal(100);
    expect(await score("NONE", within("ida", 1, "course"))).to.equal(100);
    for (const scope of ["ALL", "GROUP", "GROUP_CONTEXT"])
      expect(await score(scope, within("tom", 1, "course")), scope).to.equal(100);
  });

  it("a further request makes a new report, in which the text does not find itself", async () => {
    const { id } = await api.first.submit(prose(60, 200), within("zoe", 1, 1));
    expect((await api.first.check(id, scoped("NONE"))).overall_match_percentage).to.equal(0);
    expect((await api.first.check(id, scoped("NONE"))).overall_match_percentage).to.equal(0);
  });

  it("leave out submitted works, and named submissions, where the request says so", async () => {
    const text = prose(70, 200);
    const { submission_id: earlier } = await api.first.report(text, INDEXED, within("a", 1, 1));
    const { id } = await api.first.submit(text, within("b", 1, 1));
    const found = await api.first.check(id);
    expect(found).to.include({ overall_match_percentage: 100, submitted_works_match_percentage: 100 });
    expect(found.top_matches[0]).to.include({ source_type: "SUBMITTED_WORK", submission_id: earlier });
    for (const settings of [
      { view_settings: { exclude_submitted_works: true } },
      { generation_settings: { search_repositories: ["INTERNET", "PUBLICATION"] } },
      { generation_settings: { submission_auto_excludes: [earlier] } },
    ])
      expect((await api.first.check(id, settings)).overall_match_percentage).to.equal(0);
  });

  it("texts of one key are never sources for another", async () => {
    const text = prose(80, 200);
    await api.first.report(text, INDEXED, within("a", 1, 1));
    expect(
      (await api.second.report(text, scoped("NONE"), within("b", 1, 1))).overall_match_percentage,
    ).to.equal(0);
  });

  it("the index can be left and joined again", async () => {
    const text = prose(90, 200);
    const { submission_id: source } = await api.first.report(text, INDEXED, within("a", 1, 1));
    expect(await api.first.expect(200, "GET", `/submissions/${source}/index`)).to.deep.equal({
      is_indexed: true,
    });
    const { id } = await api.first.submit(text, within("b", 1, 1));
    await api.first.expect(200, "PUT", `/submissions/${source}/index`, { is_indexed: false });
    expect((await api.first.check(id)).overall_match_percentage).to.equal(0);
    await api.first.expect(200, "PUT", `/submissions/${source}/index`);
    expect((await api.first.check(id)).overall_match_percentage).to.equal(100);
  });

  it("what was handed out to a group is not compared there", async () => {
    const task = prose(100, 150);
    await api.addDocument("task.txt", task);
    const { id } = await api.first.expect(201, "POST", "/groups/17/attachments", {
      title: "Task",
      template: true,
    });
    const response = await api.first.request("PUT", `/api/v1/groups/17/attachments/${id}/original`, {
      headers: { "Content-Disposition": "inline; filename=task.txt" },
      body: task,
    });
    expect(response.status).to.equal(202);
    await api.first.until(`/groups/17/attachments/${id}`, ({ status }) => status === "COMPLETE");
    const text = `${task} ${prose(101, 150)}`;
    expect((await api.first.report(text, {}, within("a", 17, 1))).overall_match_percentage).to.equal(0);
    expect((await api.first.report(text, {}, within("a", 18, 1))).overall_match_percentage).to.be.above(30);
    await api.first.expect(404, "GET", `/submissions/${id}/similarity`);
    await api.first.expect(404, "GET", `/groups/18/attachments/${id}`);
    await api.second.expect(404, "GET", `/groups/17/attachments/${id}`);
    const { attachments } = await api.first.expect(200, "GET", "/groups/17/attachments");
    expect(attachments).to.deep.equal([{ id, title: "Task", status: "COMPLETE", template: true }]);
  });

  it("a group has at most 100 attachments, and what is left out is named by UUIDs", async () => {
    const add = () => api.first.json("POST", "/groups/99/attachments", { title: "Task" });
    for (let at = 0; at < 100; at += 1) expect((await add()).status).to.equal(201);
    const refused = await add();
    expect(refused.status).to.equal(400);
    expect(await readJson(refused)).to.have.property("message", "A group has at most 100 attachments.");
    const id = await api.first.create();
    await api.first.expect(400, "PUT", `/submissions/${id}/similarity`, {
      generation_settings: { submission_auto_excludes: ["no UUID"] },
    });
  });

  it("are refused until the text was read, with the code of its error", async () => {
    const id = await api.first.create();
    await api.first.expect(409, "PUT", `/submissions/${id}/similarity`, {});
    await api.first.expect(404, "GET", `/submissions/${id}/similarity`);
    const locked = await api.first.submit("GIF89a", {}, "essay.gif");
    expect(locked).to.include({
      status: "ERROR",
      error_code: "UNSUPPORTED_FILETYPE",
      message: "UNSUPPORTED_FILETYPE",
    });
    const refused = await api.first.expect(409, "PUT", `/submissions/${locked.id}/similarity`, {});
    expect(refused).to.deep.equal({ status: 409, message: "UNSUPPORTED_FILETYPE" });
  });

  const FILES: Readonly<Record<string, readonly [name: string, bytes: string, code: string]>> = {
    "a PDF without text": ["scan.pdf", "%PDF-1.4 scanned", "CANNOT_EXTRACT_TEXT"],
    "an empty file": ["empty.txt", "", "CANNOT_EXTRACT_TEXT"],
    "a broken DOCX": ["essay.docx", "PK\x03\x04 broken", "CORRUPT_FILE"],
    "an image": ["image.png", "\x89PNG\r\n", "UNSUPPORTED_FILETYPE"],
    "a long text": ["long.txt", "word ".repeat(100_001), "TOO_MUCH_TEXT"],
  };

  for (const [kind, [name, bytes, code]] of Object.entries(FILES))
    it(`${kind} ends in ${code}`, async () => {
      const read = await api.first.submit(Buffer.from(bytes, "latin1"), {}, name);
      expect(read).to.include({ status: "ERROR", error_code: code, message: code });
    });

  const PRESENTATION = makeZip({
    "[Content_Types].xml": "<Types/>",
    "ppt/presentation.xml":
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels":
      '<Relationships><Relationship Id="r1" Type="a/slide" Target="slides/slide1.xml"/></Relationships>',
    "ppt/slides/slide1.xml":
      '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>The ferry leaves at six</a:t></a:r></a:p></p:sld>',
  });
  const OPEN_DOCUMENT = makeZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml":
      '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>The ferry leaves at six</text:p></office:text></office:body></office:document-content>',
  });
  const READABLE: Readonly<Record<string, readonly [bytes: string | Uint8Array, type: string]>> = {
    "essay.rtf": ["{\\rtf1\\ansi The ferry leaves at six\\par}", "application/rtf"],
    "essay.odt": [OPEN_DOCUMENT, "application/vnd.oasis.opendocument.text"],
    "talk.pptx": [PRESENTATION, "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    "paper.tex": ["\\begin{document}The ferry leaves at six\\end{document}", "application/x-tex"],
    "article.xml": [
      "<?xml version='1.0'?><article><body><p>The ferry leaves at six</p></body></article>",
      "application/xml",
    ],
    "page.html": ["<!DOCTYPE html><title>no</title><p>The ferry leaves at six", "text/html"],
    "part.html": ["<p>The ferry <b>leaves</b> at&nbsp;six</p>", "text/html"],
    "umlaut.html": ["<p>Die F\u00e4hre legt um sechs ab</p>", "text/html"],
    "essay.md": ["The ferry leaves at six", "text/markdown"],
  };

  for (const [name, [bytes, type]] of Object.entries(READABLE))
    it(`the text of ${name} is read`, async () => {
      const read = await api.first.submit(bytes, {}, name);
      expect(read).to.include({ status: "COMPLETE", content_type: type });
      expect(read.word_count).to.equal(name === "umlaut.html" ? 6 : 5);
    });

  it("no title is refused, as some clients never repeat a submission", async () => {
    // 255 characters, percent-encoded as Moodle sends it.
    const title = `${encodeURIComponent("船".repeat(251))}.txt`;
    const created = await api.first.expect(201, "POST", "/submissions", { owner: "o", title });
    expect(created.title).to.equal(title);
    await api.first.upload(created.id, prose(140, 40));
    await api.first.until(`/submissions/${created.id}`, ({ status }) => status === "COMPLETE");
    await api.first.check(created.id);
    for (const odd of ["a".repeat(20_000), "nul\0", ""])
      await api.first.expect(201, "POST", "/submissions", { owner: "o", title: odd });
  });

  it("name the submission of a source, and when it was announced", async () => {
    const text = prose(150, 200);
    const source = await api.first.report(text, INDEXED, within("a", 1, 1));
    const { created_time: at } = await api.first.expect(200, "GET", `/submissions/${source.submission_id}`);
    const { top_matches: matches } = await api.first.report(text, {}, within("b", 1, 1));
    expect(matches[0]).to.include({ submission_id: source.submission_id, submitted_date: at });
  });

  it("a PDF is pending while a further report is being made", async () => {
    const { submission_id: id } = await api.first.report(prose(160, 50));
    const { id: pdf } = await api.first.expect(202, "POST", `/submissions/${id}/similarity/pdf`, {});
    expect(
      await api.first.expect(200, "GET", `/submissions/${id}/similarity/pdf/${pdf}/status`),
    ).to.deep.equal({
      status: "SUCCESS",
    });
    const database = new Database(api.options.databaseUrl, pino({ level: "silent" }));
    const setState = (state: string) =>
      database.query("update core_api_submissions set report_status = $2 where submission_id = $1", [
        id,
        state,
      ]);
    try {
      // Its check neither waits nor runs, so that nothing ends this state.
      await database.query("update checks set completed_at = null where check_id = $1", [pdf]);
      await setState("CHECKING");
      expect(
        await api.first.expect(200, "GET", `/submissions/${id}/similarity/pdf/${pdf}/status`),
      ).to.deep.equal({ status: "PENDING" });
      await api.first.expect(409, "GET", `/submissions/${id}/similarity/pdf/${pdf}`);
    } finally {
      await database.close();
    }
  });

  it("another file replaces the text and its report", async () => {
    const { id } = await api.first.submit(prose(110, 50));
    await api.first.check(id);
    await api.first.upload(id, prose(111, 70));
    const read = await api.first.until(`/submissions/${id}`, (one) => one.word_count === 70);
    expect(read.status).to.equal("COMPLETE");
    await api.first.expect(404, "GET", `/submissions/${id}/similarity`);
  });

  it("deleting takes the text, the check and the document of the corpus", async () => {
    const text = prose(120, 200);
    const { submission_id: id } = await api.first.report(text, INDEXED, within("a", 1, 1));
    await api.first.expect(200, "DELETE", `/submissions/${id}/?hard=true`);
    await api.first.expect(404, "GET", `/submissions/${id}`);
    expect((await api.first.report(text, {}, within("b", 1, 1))).overall_match_percentage).to.equal(0);
  });

  it("the log of a client is answered and nothing of it kept", async () => {
    const response = await fetch(`${api.base}/remote-logging/api/log`, {
      method: "POST",
      body: "{ not JSON",
    });
    expect(response.status).to.equal(200);
  });

  it("the document describes every route, and the page shows it", async () => {
    const document = await readJson(await fetch(`${api.base}/openapi.json`));
    expect(Object.keys(document.paths)).to.include.members([
      "/api/v1/features-enabled",
      "/api/v1/submissions/{id}/original",
      "/api/v1/groups/{group_id}/attachments",
      "/api/v1/webhooks/{id}",
    ]);
    expect((await fetch(`${api.base}/`)).status).to.equal(200);
    expect(await (await fetch(`${api.base}/`)).text()).to.include(
      "for plug-ins that speak the Turnitin Core API",
    );
  });
});
