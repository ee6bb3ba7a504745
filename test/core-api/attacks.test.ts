import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { addKey, Keys, removeKey } from "../../src/core-api/keys.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { prose } from "../support/work/prose.ts";
import { EventReceiver, PluginClient, readJson, register, useCoreApi } from "./use-core-api.ts";

const UNKNOWN = "3f9a1c52-6c1e-4b60-9d2a-5f0c4e8b7a11";

describe("attacks on keys", function () {
  this.timeout(240_000);
  const api = useCoreApi();

  it("every route below /api/v1 is refused without a known key, in the protocol's words", async () => {
    const document = await readJson(await fetch(`${api.base}/openapi.json`));
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map(
        (method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, UNKNOWN)] as const,
      ),
    );
    const keyed = paths.filter(([, path]) => path.startsWith("/api/v1/"));
    expect(keyed).to.have.lengthOf.above(20);
    for (const [method, path] of keyed)
      for (const authorization of [
        undefined,
        "Bearer",
        "Bearer wrong",
        "Basic x",
        `Bearer ${api.first.key}x`,
        api.first.key,
      ]) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        for (const spelled of [path, `${path}/`, path.replace("/api/v1", "/API/v1")]) {
          const response = await fetch(`${api.base}${spelled}`, { method, headers });
          expect([403, 404], `${method} ${spelled}`).to.include(response.status);
          const body = await readJson(response);
          expect(body.status).to.equal(response.status);
          expect(body.message).to.be.a("string");
        }
      }
  });

  it("another key sees and changes nothing", async () => {
    const { id } = await api.first.submit(prose(200, 60));
    await api.first.check(id);
    const { id: hook } = await readJson(await register(api.first, { url: "http://127.0.0.1:9/x" }));
    const thief = api.second;
    for (const [method, path, body] of [
      ["GET", `/submissions/${id}`],
      ["PUT", `/submissions/${id}/similarity`, {}],
      ["GET", `/submissions/${id}/similarity`],
      ["POST", `/submissions/${id}/viewer-url`, {}],
      ["POST", `/submissions/${id}/similarity/pdf`, {}],
      ["GET", `/submissions/${id}/similarity/pdf/${UNKNOWN}`],
      ["GET", `/submissions/${id}/index`],
      ["PUT", `/submissions/${id}/index`, { is_indexed: true }],
      ["DELETE", `/submissions/${id}`],
      ["GET", `/webhooks/${hook}`],
      ["DELETE", `/webhooks/${hook}`],
    ] as const)
      await thief.expect(404, method, path, body);
    expect((await thief.upload(id, "stolen")).status).to.equal(404);
    expect(await api.first.expect(200, "GET", `/submissions/${id}`)).to.include({ id, status: "COMPLETE" });
  });

  it("the file of the keys holds no key, only its owner may read it, and a removed key is refused", async () => {
    const content = readFileSync(api.keysFile, "utf8");
    expect(content).to.not.include(api.first.key);
    expect(statSync(api.keysFile).mode & 0o077).to.equal(0);
    const key = await addKey(api.keysFile, "third");
    const keys = new Keys(api.keysFile, () => undefined);
    expect(keys.nameOf(key)).to.equal("third");
    expect(keys.nameOf("")).to.equal(undefined);
    expect(await removeKey(api.keysFile, "third")).to.equal(true);
    expect(new Keys(api.keysFile, () => undefined).nameOf(key)).to.equal(undefined);
    await sleep(5_100);
    expect(keys.nameOf(key), "noticed within five seconds").to.equal(undefined);
  });

  it("identifiers that are no UUIDs lead nowhere", async () => {
    for (const id of ["..%2f..%2fetc%2fpasswd", "1", "%00", `${UNKNOWN}%2e`])
      await api.first.expect(404, "GET", `/submissions/${id}`);
    expect((await api.first.upload("..%2fx", "text")).status).to.equal(404);
  });

  it("too large files and malformed bodies are refused in JSON", async () => {
    const id = await api.first.create();
    const response = await api.first.request("PUT", `/api/v1/submissions/${id}/original`, {
      body: new Uint8Array(100 * 1024 * 1024 + 1),
    });
    expect(response.status).to.equal(413);
    expect(await response.json()).to.deep.equal({ status: 413, message: "TOO_MUCH_TEXT" });
    expect((await api.first.json("POST", "/submissions", [])).status).to.equal(400);
    expect((await api.first.json("POST", "/submissions", { owner: {} })).status).to.equal(400);
  });
});

describe("attacks on keys: the rate limit", function () {
  this.timeout(240_000);
  const api = useCoreApi(() => ({ coreApiRateLimit: 5 }));

  it("holds for each key by itself", async () => {
    for (let at = 0; at < 5; at += 1) await api.first.expect(200, "GET", "/features-enabled");
    const refused = await api.first.request("GET", "/api/v1/features-enabled");
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 60);
    expect(await refused.json()).to.have.property("status", 429);
    await api.second.expect(200, "GET", "/features-enabled");
  });
});

describe("attacks on links", function () {
  this.timeout(240_000);
  const api = useCoreApi();

  async function link(id: string, more: object = {}): Promise<string> {
    const asked = { viewer_user_id: "user_3", viewer_default_permission_set: "INSTRUCTOR", ...more };
    return (await api.first.expect(200, "POST", `/submissions/${id}/viewer-url`, asked)).viewer_url;
  }

  const cookieOf = (response: Response) => (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

  it("a link opens once; then only its own cookie opens it, and no other report", async () => {
    const { submission_id: id } = await api.first.report(prose(210, 60));
    const { submission_id: other } = await api.first.report(prose(211, 60));
    const url = await link(id);
    for (const looking of [{ method: "HEAD" }, { headers: { "Sec-Purpose": "prefetch" } }])
      expect((await fetch(url, looking)).status, "a look does not open it").to.equal(204);
    const opened = await fetch(url);
    expect(opened.status).to.equal(200);
    expect(await opened.text()).to.include("<h1>");
    expect(opened.headers.get("set-cookie")).to.match(
      new RegExp(
        `^report_session=[\\w-]{43}; Path=${new URL(url).pathname}; Max-Age=14400; HttpOnly; SameSite=Lax`,
      ),
    );
    expect(opened.headers.get("cache-control")).to.equal("no-store");
    expect(opened.headers.get("content-security-policy")).to.match(/default-src 'none'.*form-action 'self'/);
    const cookie = cookieOf(opened);
    const replayed = await fetch(url);
    expect(replayed.status, "replayed").to.equal(403);
    expect(await replayed.text()).to.include("Open the report again where you found it.");
    expect((await fetch(url, { headers: { cookie } })).status).to.equal(200);
    const elsewhere = await link(other);
    const stolen = await fetch(elsewhere, { headers: { cookie } });
    expect(stolen.status, "opens by itself").to.equal(200);
    expect(cookieOf(stolen)).to.not.equal(cookie);
    expect((await fetch(elsewhere, { headers: { cookie } })).status).to.equal(403);
    expect((await fetch(`${elsewhere}/report.pdf`, { headers: { cookie } })).status).to.equal(403);
  });

  it("guessed and expired links are refused", async () => {
    const { submission_id: id } = await api.first.report(prose(212, 60));
    for (const guess of ["x", "A".repeat(43), "%00", id])
      expect((await fetch(`${api.base}/viewer/${guess}`)).status, guess).to.equal(403);
    const url = await link(id);
    const database = new Database(api.options.databaseUrl, pino({ level: "silent" }));
    try {
      const [row] = await database.query<{ content: string }>(
        "select core_api_viewer_links::text as content from core_api_viewer_links",
      );
      expect(row?.content).to.not.include(url.split("/").at(-1));
      await database.query("update core_api_viewer_links set expires_at = now() - interval '1 second'");
    } finally {
      await database.close();
    }
    expect((await fetch(url)).status).to.equal(403);
  });

  it("students see neither texts nor names of other submissions unless the client allows it", async () => {
    const text = prose(213, 200);
    const secret = { owner: "tom", title: "Tom's secret essay" };
    await api.first.report(text, { indexing_settings: { add_to_index: true } }, secret);
    const copied = `${text.split(" ").slice(0, 100).join(" ")} ${prose(214, 100)}`;
    const { submission_id: id } = await api.first.report(copied, {}, { owner: "ida" });
    const student = { viewer_default_permission_set: "LEARNER" };
    const hidden = await (await fetch(await link(id, student))).text();
    expect(hidden).to.not.include("secret essay");
    expect(hidden).to.include("The text of this submission is not shown.").and.to.include("A submitted text");
    const sees = { may_view_submission_full_source: true, may_view_match_submission_info: true };
    const shown = await (await fetch(await link(id, { ...student, viewer_permissions: sees }))).text();
    expect(shown).to.include("secret essay").and.to.not.include("is not shown");
    const forbids = { may_view_submission_full_source: false, may_view_match_submission_info: false };
    const teacher = await (await fetch(await link(id, { viewer_permissions: forbids }))).text();
    expect(teacher).to.not.include("secret essay");
  });

  it("saved changes change the score and tell the client; others may not save", async () => {
    const receiver = new EventReceiver();
    await receiver.start();
    try {
      await register(api.first, receiver);
      const source = prose(215, 200);
      await api.first.report(source, { indexing_settings: { add_to_index: true } }, { owner: "tom" });
      const before = await api.first.report(source, {}, { owner: "ida" });
      const { submission_id: id } = before;
      expect(before.overall_match_percentage).to.equal(100);
      const saving = { similarity: { view_settings: { save_changes: true } } };
      const url = await link(id, saving);
      const opened = await fetch(url);
      const page = await opened.text();
      const cookie = cookieOf(opened);
      const [, document = ""] = /name="source" value="([0-9a-f-]{36})"/.exec(page) ?? [];
      const change = (headers: Record<string, string>, to = url) =>
        fetch(`${to}/settings`, {
          method: "POST",
          redirect: "manual",
          headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
          body: new URLSearchParams({ source: document, min_words: "0" }),
        });
      expect((await change({})).status, "without the cookie").to.equal(403);
      expect((await change({ cookie, "Sec-Fetch-Site": "cross-site" })).status, "of another site").to.equal(
        403,
      );
      const reading = await link(id);
      const readingCookie = cookieOf(await fetch(reading));
      expect((await change({ cookie: readingCookie }, reading)).status, "of a reader").to.equal(403);
      expect((await change({ cookie })).status).to.equal(303);
      expect(await api.first.expect(200, "GET", `/submissions/${id}/similarity`)).to.include({
        overall_match_percentage: 0,
      });
      const { json } = await receiver.event("SIMILARITY_UPDATED");
      expect(json).to.include({ submission_id: id, overall_match_percentage: 0, status: "COMPLETE" });
      expect(await (await fetch(url, { headers: { cookie } })).text()).to.match(
        /value="[0-9a-f-]{36}" checked/,
      );
    } finally {
      await receiver.stop();
    }
  });

  it("the PDF needs the key or the cookie", async () => {
    const { submission_id: id } = await api.first.report(prose(216, 60));
    const { id: pdf } = await api.first.expect(202, "POST", `/submissions/${id}/similarity/pdf`, {
      locale: "en-US",
    });
    const path = `/submissions/${id}/similarity/pdf/${pdf}`;
    expect(await api.first.expect(200, "GET", `${path}/status`)).to.deep.equal({ status: "SUCCESS" });
    const response = await api.first.request("GET", `/api/v1${path}`);
    if (response.status === 501) return;
    expect(response.headers.get("content-type")).to.equal("application/pdf");
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).to.equal("%PDF-");
  });
});

describe("attacks on webhooks", function () {
  this.timeout(240_000);
  const api = useCoreApi();

  it("addresses beyond the operator's list are refused", async () => {
    for (const url of [
      "http://169.254.169.254/latest/meta-data",
      "http://localhost:5432/",
      "http://[::1]/",
      "http://127.0.0.1@evil.example/",
      "http://user:password@127.0.0.1/",
      "ftp://127.0.0.1/",
      "file:///etc/passwd",
      "https://evil.example/",
      "nonsense",
    ])
      expect((await register(api.first, { url })).status, url).to.equal(400);
    expect(
      (await register(api.first, { url: "http://127.0.0.1/x" }, { allow_insecure: false })).status,
    ).to.equal(400);
    expect(await api.first.expect(200, "GET", "/webhooks")).to.deep.equal([]);
  });

  it("a change of a webhook is held to the same rules, and keeps what it does not name", async () => {
    const { id } = await readJson(await register(api.first, { url: "http://127.0.0.1/changed" }));
    const path = `/webhooks/${id}`;
    const before = await api.first.expect(200, "GET", path);
    const changed = await api.first.expect(200, "PATCH", path, {
      ...{ event_types: ["SIMILARITY_COMPLETE"], signing_secret: "bmV3", description: "new" },
    });
    expect(changed).to.deep.equal({
      ...before,
      ...{ event_types: ["SIMILARITY_COMPLETE"], description: "new" },
    });
    for (const change of [
      { url: "https://evil.example/" },
      { url: "http://169.254.169.254/" },
      { allow_insecure: false },
      { url: "http://user:password@127.0.0.1/" },
    ])
      await api.first.expect(400, "PATCH", path, change);
    await api.second.expect(404, "PATCH", path, { description: "theirs" });
    await register(api.first, { url: "http://127.0.0.1/other" });
    await api.first.expect(409, "PATCH", path, { url: "http://127.0.0.1/other" });
    expect(await api.first.expect(200, "GET", path)).to.deep.equal(changed);
    for (const one of await api.first.expect(200, "GET", "/webhooks"))
      await api.first.expect(204, "DELETE", `/webhooks/${one.id}`);
  });

  it("redirects are not followed", async () => {
    const target = new EventReceiver();
    await target.start();
    let asked = 0;
    const redirecting = createServer((_, response) => {
      asked += 1;
      response.writeHead(307, { Location: target.url }).end();
    });
    await once(redirecting.listen(0, "127.0.0.1"), "listening");
    try {
      const address = redirecting.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      await register(api.first, { url: `http://127.0.0.1:${port}/` });
      await api.first.submit(prose(220, 40));
      await api.untilEventsEnd(() => asked > 0);
      expect(asked).to.equal(1);
      expect(target.deliveries).to.deep.equal([]);
    } finally {
      redirecting.close();
      redirecting.closeAllConnections();
      await target.stop();
    }
  });

  it("a key has its own webhooks, also at the same address", async () => {
    const receiver = { url: "http://127.0.0.1:9/same" };
    const { id } = await readJson(await register(api.first, receiver));
    await register(api.second, receiver);
    expect(await api.first.expect(200, "GET", `/webhooks/${id}`)).to.have.property("id", id);
    await api.second.expect(404, "DELETE", `/webhooks/${id}`);
    await api.first.expect(204, "DELETE", `/webhooks/${id}`);
    await api.first.expect(404, "GET", `/webhooks/${id}`);
  });

  it("a client of another origin can't use a stolen browser", async () => {
    const response = await fetch(`${api.base}/api/v1/webhooks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${api.first.key}`, "Sec-Fetch-Site": "cross-site" },
    });
    expect(response.status).to.equal(403);
    expect(await new PluginClient(api.base, "wrong").request("GET", "/api/v1/webhooks")).to.have.property(
      "status",
      403,
    );
  });
});
