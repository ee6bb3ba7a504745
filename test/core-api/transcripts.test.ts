import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { sendRaw } from "./raw-request.ts";
import { type UsedCoreApi, useCoreApi } from "./use-core-api.ts";

const TRANSCRIPTS = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "shared",
  "research",
  "core-api",
  "transcripts",
);

const Transcript = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    raw_headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  }),
);
type Recorded = z.output<typeof Transcript>[number];

/** The requests of two plug-ins, as they were seen on the wire, with the answers that these plug-ins need. */
describe("the recorded requests of plug-ins", function () {
  this.timeout(120_000);
  const terms = join(mkdtempSync(join(tmpdir(), "terms-")), "terms.txt");
  writeFileSync(terms, "The terms of the operator.");
  const api = useCoreApi();
  const withTerms = useCoreApi(() => ({ coreApiEulaFile: terms }));

  before(function () {
    if (existsSync(TRANSCRIPTS)) return;
    if (process.env.REQUIRE_SHARED_DATA === "1")
      throw new Error(`the transcripts are missing: ${TRANSCRIPTS}`);
    console.warn(`      skipped: ${TRANSCRIPTS} does not exist`);
    this.skip();
  });

  function recorded(name: string): Recorded[] {
    return Transcript.parse(JSON.parse(readFileSync(join(TRANSCRIPTS, name), "utf8")));
  }

  /** Sends a recorded request with an identifier and a key of this service. */
  async function replay(one: Recorded, id: string, version = "v1") {
    const used: UsedCoreApi = one.raw_headers.some(([, value]) => value === "Bearer eula") ? withTerms : api;
    const headers = one.raw_headers.map(
      ([name, value]) => [name, value.replace(/^Bearer (key|eula)$/, `Bearer ${used.first.key}`)] as const,
    );
    const path = one.path.replace("/ID", `/${id}`).replace("/eula/v1/", `/eula/${version}/`);
    const body = Buffer.from(one.body.replace('"version":"v1"', `"version":"${version}"`));
    const { status, text } = await sendRaw(used.base, `${one.method} ${path}`, headers, body);
    return { status, json: text === "" ? undefined : JSON.parse(text) };
  }

  async function expectStatus(one: Recorded | undefined, status: number, id = "", version?: string) {
    if (one === undefined) throw new Error("the transcript is shorter");
    const answer = await replay(one, id, version);
    expect(answer.status, `${one.method} ${one.path}: ${JSON.stringify(answer.json)}`).to.equal(status);
    return answer.json;
  }

  it("of Moodle get the answers that it needs", async () => {
    const [
      features,
      hook,
      getHook,
      create,
      upload,
      similarity,
      log,
      viewer,
      info,
      score,
      eula,
      createWithTerms,
    ] = recorded("moodle-turnitinsim.json");
    const enabled = await expectStatus(features, 200);
    expect(enabled.tenant.require_eula).to.equal(false);
    expect(enabled.similarity.generation_settings.search_repositories).to.be.an("array");
    const webhook = await expectStatus(hook, 201);
    expect((await expectStatus(getHook, 200, webhook.id)).url).to.equal(JSON.parse(hook?.body ?? "").url);
    const created = await expectStatus(create, 201);
    expect(created).to.include({ status: "CREATED", title: "onlinetext_1_5_21.txt" });
    expect(Date.parse(created.created_time)).to.be.closeTo(Date.now(), 10_000);
    await expectStatus(upload, 202, created.id);
    await api.first.until(`/submissions/${created.id}`, ({ status }) => status === "COMPLETE");
    await expectStatus(similarity, 202, created.id);
    await expectStatus(log, 200);
    await api.first.until(`/submissions/${created.id}/similarity`, ({ status }) => status === "COMPLETE");
    expect((await expectStatus(viewer, 200, created.id)).viewer_url).to.match(/^http:.*\/viewer\//);
    expect(await expectStatus(info, 200, created.id)).to.include({ status: "COMPLETE", word_count: 20 });
    expect((await expectStatus(score, 200, created.id)).overall_match_percentage).to.equal(0);

    const { version } = await expectStatus(eula, 200);
    expect(await expectStatus(createWithTerms, 201, "", version)).to.have.property("status", "CREATED");
    const eulaOfYesterday = { version: "v1", language: "de-DE", accepted_timestamp: "2026-11-27T00:00:00Z" };
    await withTerms.first.expect(451, "POST", "/submissions", { owner: "another", eula: eulaOfYesterday });
  });

  it("of OJS get the answers that it needs", async () => {
    const [
      wrongKey,
      eula,
      unknownTerms,
      hook,
      getHook,
      listHooks,
      deleteHook,
      create,
      similarity,
      upload,
      ...rest
    ] = recorded("pkp-plagiarism.json");
    const [info, score, viewer, acceptance, accept] = rest;
    expect(await expectStatus(wrongKey, 403)).to.have.all.keys("status", "message");
    expect((await expectStatus(eula, 200)).url).to.include("en-US");
    await expectStatus(unknownTerms, 404);
    const { id: first } = await expectStatus(hook, 201);
    await expectStatus(getHook, 200, first);
    const { id: second } = await expectStatus(hook, 201);
    expect((await expectStatus(listHooks, 200)).map((one: { id: string }) => one.id))
      .to.include(second)
      .and.not.to.include(first);
    await expectStatus(deleteHook, 204, second);
    const { id } = await expectStatus(create, 201);
    await expectStatus(similarity, 409, id);
    await expectStatus(upload, 202, id);
    await api.first.until(`/submissions/${id}`, ({ status }) => status === "COMPLETE");
    await expectStatus(similarity, 202, id);
    expect(await expectStatus(info, 200, id)).to.have.property("status", "COMPLETE");
    await api.first.until(`/submissions/${id}/similarity`, ({ status }) => status === "COMPLETE");
    expect((await expectStatus(score, 200, id)).overall_match_percentage).to.be.a("number");
    expect((await expectStatus(viewer, 200, id)).viewer_url).to.be.a("string");

    const { version } = await withTerms.first.expect(200, "GET", "/eula/latest");
    const submission = { owner: "author_7", submitter: "user_3", title: "x" };
    expect(await withTerms.first.expect(451, "POST", "/submissions", submission)).to.have.property(
      "status",
      451,
    );
    await expectStatus(acceptance, 404, "", version);
    expect(await expectStatus(accept, 200, "", version)).to.include({ user_id: "user_3", version });
    await expectStatus(acceptance, 200, "", version);
    await withTerms.first.expect(201, "POST", "/submissions", submission);
  });
});

/** Made from descriptions of these clients, which were not recorded. */
describe("the requests of other plug-ins", function () {
  this.timeout(120_000);
  const api = useCoreApi();

  it("of Sakai: names in form encoding, a slash at the end, the scope GROUP", async () => {
    const id = await api.first.create({
      metadata: {
        owners: [{ id: "u1" }],
        group: { id: "a1", name: "Task", type: "ASSIGNMENT" },
        group_context: { id: "site" },
      },
    });
    const headers = [
      ["Authorization", `Bearer ${api.first.key}`],
      ["X-Turnitin-Integration-Name", "sakai"],
      ["Content-Type", "application/octet-stream"],
      ["Content-Disposition", 'inline; filename="Mein+Text.html"'],
    ] as const;
    const body = Buffer.from("<p>The ferry leaves at six.</p>");
    const uploaded = await sendRaw(api.base, `PUT /api/v1/submissions/${id}/original/`, headers, body);
    expect(uploaded.status).to.equal(202);
    const read = await api.first.until(`/submissions/${id}`, ({ status }) => status !== "PROCESSING");
    expect(read).to.include({ status: "COMPLETE", content_type: "text/html" });
    await api.first.expect(202, "PUT", `/submissions/${id}/similarity`, {
      generation_settings: {
        search_repositories: ["INTERNET", "SUBMITTED_WORK"],
        auto_exclude_self_matching_scope: "GROUP",
      },
    });
    await api.first.until(`/submissions/${id}/similarity`, ({ status }) => status === "COMPLETE");
  });

  it("of Open edX: the version of accepted terms, submissions to leave out, a hard deletion", async () => {
    const page = await api.first.request("GET", "/api/v1/eula/v1/view?lang=en-US");
    expect(page.headers.get("content-type")).to.match(/^text\/html/);
    await api.first.expect(200, "POST", "/eula/v1/accept/", {
      ...{ user_id: "7", accepted_timestamp: "2026-11-28T11:34:55Z", language: "en-US", version: "v1" },
    });
    const { id } = await api.first.submit("The ferry leaves at six in the morning.");
    await api.first.check(id, {
      indexing_settings: { add_to_index: true },
      generation_settings: {
        ...{
          search_repositories: ["INTERNET"],
          submission_auto_excludes: ["3f9a1c52-6c1e-4b60-9d2a-5f0c4e8b7a11"],
        },
        auto_exclude_self_matching_scope: "ALL",
      },
      view_settings: { exclude_quotes: true, exclude_citations: true },
    });
    await api.first.expect(200, "DELETE", `/submissions/${id}/?hard=true`);
    await api.first.expect(404, "GET", `/submissions/${id}`);
  });
});
