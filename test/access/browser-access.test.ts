import { createServer, type Server } from "node:http";
import { expect } from "chai";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { useStatistics } from "../support/use-statistics.ts";
import { prose } from "../support/work/prose.ts";

/** The pages of the documentation are large, and machines may be busy. */
const TIMEOUT_MS = 120_000;

describe("a page of another origin in a real browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const engine = useEngine({ roles: ["engine"] });
  const statistics = useStatistics();
  let stranger: Server;
  let address: string;
  before(async () => {
    stranger = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>stranger</title>");
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const bound = stranger.address();
    address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}/`;
  });
  after(() => stranger?.close());

  it("changes nothing: neither by a form that browsers send without asking, nor otherwise", async () => {
    const { page } = await browser.open(address);
    const checkId = await engine.client.submit(prose(1, 30));
    const attempts = await page.evaluate(
      async ({ base, path }) => {
        const form = new FormData();
        form.set("file", new Blob(["A text of the stranger."]), "a.txt");
        const send = (to: string, init: RequestInit) =>
          fetch(base + to, init).then(
            (answer) => answer.type,
            () => "kept from the page",
          );
        return [
          await send("/v1/corpus/documents", { method: "POST", body: form, mode: "no-cors" }),
          await send("/v1/corpus/documents", { method: "POST", body: form }),
          await send(path, { method: "DELETE" }),
        ];
      },
      { base: engine.client.base, path: `/v1/checks/${checkId}` },
    );
    expect(attempts.slice(1)).to.deep.equal(["kept from the page", "kept from the page"]);
    expect(await engine.database.query("select 1 from documents")).to.deep.equal([]);
    expect((await engine.client.request(`/v1/checks/${checkId}`)).status).to.equal(200);
  });

  it("reads no answer of the engine, and those of the statistics", async () => {
    const { page } = await browser.open(address);
    const read = (url: string) =>
      page.evaluate(
        (asked) =>
          fetch(asked).then(
            (answer) => answer.status,
            () => "kept from the page",
          ),
        url,
      );
    expect(await read(`${engine.client.base}/v1/checks`)).to.equal("kept from the page");
    expect(await read(`${statistics.address}/v1/`)).to.equal(200);
    const embedded = (url: string) =>
      page.addScriptTag({ url }).then(
        () => "loaded",
        () => "kept from the page",
      );
    expect(await embedded(`${engine.client.base}/v1/checks`)).to.equal("kept from the page");
  });

  it("is no page of the engine's own, which may do both", async () => {
    const { page } = await browser.open(`${engine.client.base}/docs`);
    const statuses = await page.evaluate(async () => {
      const body = JSON.stringify({ query_text: "A text of the page itself." });
      const headers = { "Content-Type": "application/json" };
      const submitted = await fetch("/v1/checks", { method: "POST", headers, body });
      const { check_id } = Object(await submitted.json());
      const deleted = await fetch(`/v1/checks/${check_id}`, { method: "DELETE" });
      return [submitted.status, deleted.status];
    });
    expect(statuses).to.deep.equal([202, 204]);
  });
});
