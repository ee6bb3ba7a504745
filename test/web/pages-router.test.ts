import { expect } from "chai";
import { textsIn } from "../../src/http/languages/catalogues.ts";
import { PAGES } from "../../src/web/pages.ts";
import { useEngine } from "../support/use-engine.ts";

describe("the pages for browsers, as they are served", () => {
  const engine = useEngine();
  const english = textsIn("en");
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(engine.client.base + path, { headers });
  const filesIn = (shell: string) =>
    [...shell.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)].map(([, url]) => url ?? "");

  it("serves each page as its own document, with a policy that forbids inline code", async () => {
    for (const { path, title } of PAGES) {
      const answer = await get(path.replace(/:\w+/, "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf"));
      expect(answer.status, path).to.equal(200);
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      expect(policy).to.include("default-src 'none'").and.not.include("unsafe");
      const shell = await answer.text();
      expect(shell).to.include(`<title>${english.say(title)} · Similarity Check</title>`);
      expect(shell).to.not.match(/<script(?![^>]* src=)|\son\w+=|\sstyle=/);
    }
  });

  it("serves the files of a page, compressed if the browser accepts it, and immutable", async () => {
    const files = filesIn(await (await get("/")).text());
    expect(files).to.have.length.above(1);
    for (const file of files) {
      for (const encoding of ["br", "gzip", "identity"]) {
        const answer = await get(file, { "Accept-Encoding": encoding });
        expect(answer.status, file).to.equal(200);
        expect(answer.headers.get("Content-Encoding") ?? "identity").to.equal(encoding);
        expect(answer.headers.get("Cache-Control")).to.include("immutable");
        expect((await answer.text()).length).to.be.above(0);
      }
    }
  });

  it("shows browsers a page where there is nothing, and programs a problem", async () => {
    const page = await get("/nope", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect([page.status, page.headers.get("Content-Type")]).to.deep.equal([404, "text/html; charset=utf-8"]);
    expect(await page.text())
      .to.include("Page not found")
      .and.include('href="/"');
    for (const [path, accept] of [
      ["/nope", "*/*"],
      ["/v1/nope", "text/html"],
    ] as const) {
      const problem = await get(path, { Accept: accept });
      expect([problem.status, problem.headers.get("Content-Type")]).to.deep.equal([
        404,
        "application/problem+json",
      ]);
    }
  });

  it("answers a cached document with 304 and an unknown file with 404", async () => {
    const tag = (await get("/checks")).headers.get("ETag") ?? "";
    // Without a Cache-Control of its own, fetch adds one that asks for the whole answer.
    const again = await get("/checks", { "If-None-Match": tag, "Cache-Control": "max-age=0" });
    expect(again.status).to.equal(304);
    expect((await get("/pages/none.js")).status).to.equal(404);
    expect((await get("/pages/..%2Fmanifest.json")).status).to.equal(404);
  });
});
