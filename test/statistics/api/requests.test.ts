import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { PATHS } from "./wire-answers.ts";

describe("decisions, Statistics and Both interfaces: requests and their headers", () => {
  const statistics = useStatistics();

  before(async () => {
    await createLoadStatistics(statistics)(await smallSet(statistics.folder));
  });

  it("refuses parameters that break the rules, naming them and the valid windows; unknown ones are ignored", async () => {
    const refused: [query: string, field: string][] = [
      ["window=banana", "window"],
      ["window=", "window"],
      ["window=2003-2007", "window"],
      ["window=2013-2017&window=2008-2012", "window"],
      ["region=mars", "region"],
      ["below=yes", "below"],
      ["format=xml", "format"],
      ["format=", "format"],
    ];
    for (const [query, field] of refused) {
      const problem = await expectProblem(
        await statistics.request(`/v1/countries?${query}`),
        422,
        "invalid-input",
        [field],
      );
      if (query.startsWith("window=2003"))
        expect(problem.detail).to.include("2013-2017, 2008-2017, 2008-2012");
    }
    await expectProblem(await statistics.request("/v1/cases?type=poem"), 422, "invalid-input", ["type"]);
    expect((await statistics.request("/v1/countries?colour=red")).status).to.equal(200);
  });

  it("answers If-None-Match with 304 and no body, HEAD as GET without a body, other methods with 405", async () => {
    for (const path of [...PATHS, "/v1/countries?format=csv"]) {
      const got = await statistics.request(path);
      const etag = got.headers.get("etag") ?? "";
      expect(etag, path).to.match(/^"[\w-]+"$/);
      expect(got.headers.get("cache-control"), path).to.match(/^public, max-age=\d+$/);
      const body = await got.text();
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await statistics.request(path, { headers: { "If-None-Match": tag } });
        expect([again.status, await again.text(), again.headers.get("etag")], path).to.deep.equal([
          304,
          "",
          etag,
        ]);
        expect(again.headers.get("cache-control")).to.match(/^public/);
      }
      expect((await statistics.request(path, { headers: { "If-None-Match": '"other"' } })).status).to.equal(
        200,
      );
      const head = await statistics.request(path, { method: "HEAD" });
      expect([head.status, await head.text(), head.headers.get("etag")], path).to.deep.equal([200, "", etag]);
      expect(head.headers.get("content-length")).to.equal(String(Buffer.byteLength(body)));
      const posted = await statistics.request(path, { method: "POST" });
      expect(posted.headers.get("allow"), path).to.equal("GET, HEAD, OPTIONS");
      await expectProblem(posted, 405, "method-not-allowed");
    }
  });

  it("is open to pages of any origin, which may read its headers, errors included", async () => {
    for (const path of ["/v1/countries", "/v1/countries?window=banana", "/v1/nothing"]) {
      const { headers } = await statistics.request(path, { headers: { Origin: "https://page.example" } });
      expect(headers.get("access-control-allow-origin"), path).to.equal("*");
      const exposed = headers.get("access-control-expose-headers")?.split(", ");
      expect(exposed, path).to.include.members([
        "ETag",
        "Link",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
      ]);
    }
    const preflight = await statistics.request("/v1/countries", {
      method: "OPTIONS",
      headers: {
        Origin: "https://page.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "If-None-Match",
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get("access-control-allow-methods")).to.include("GET");
    expect(preflight.headers.get("access-control-allow-headers")).to.equal("If-None-Match");
  });
});
