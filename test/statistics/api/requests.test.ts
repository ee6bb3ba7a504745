import { expect } from "chai";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { PATHS } from "./wire-answers.ts";

const WithMeta = z.object({ meta: z.object({ window: z.string() }) });

describe("decisions, Statistics and Both interfaces: requests and their headers", () => {
  const statistics = useStatistics();

  before(async () => {
    await createLoadStatistics(statistics)(await smallSet(statistics.folder));
  });

  it("a parameter that breaks the rules is 422 and named", async () => {
    const refused: [query: string, field: string][] = [
      ["countries?region=mars", "region"],
      ["countries?region=Asia", "region"],
      ["countries?region=", "region"],
      ["countries?below=yes", "below"],
      ["countries?below=", "below"],
      ["countries?format=xml", "format"],
      ["countries?format=", "format"],
      ["countries?format=csv&format=csv", "format"],
      ["countries?window=2013-2017&window=2008-2012", "window"],
      ["institutions?format=CSV", "format"],
      ["disciplines?format=xml", "format"],
      ["cases?type=poem", "type"],
      ["cases?type=", "type"],
    ];
    for (const [query, field] of refused) {
      await expectProblem(await statistics.request(`/v1/${query}`), 422, "invalid-input", [field]);
    }
  });

  it("a misspelt parameter is 422, with the nearest that the endpoint has", async () => {
    for (const [query, field, nearest] of [
      ["countries?regoin=europe", "regoin", "region"],
      ["countries?windows=2013-2017", "windows", "window"],
      ["countries?form=2013", "form", "format"],
      ["countries?from_year=2013", "from_year", "from"],
      ["institutions?Below=true", "Below", "below"],
      ["institutions?country_code=DE", "country_code", "country"],
      ["country/DE?widnow=2013-2017", "widnow", "window"],
      ["cases?typ=book", "typ", "type"],
      ["disciplines?window=2013-2017&formats=csv", "formats", "format"],
      ["news?dataset=x", "dataset", "dataset_version"],
      ["papers?insitution=02mhbdp94", "insitution", "institution"],
    ] as const) {
      const problem = await expectProblem(await statistics.request(`/v1/${query}`), 422, "invalid-input", [
        field,
      ]);
      expect(problem.detail, query).to.include(
        `${field} is no parameter of this endpoint; the nearest is ${nearest}, and it takes `,
      );
    }
  });

  it("a parameter that only another endpoint has is 422, and so is its misspelling", async () => {
    for (const [path, taken] of [
      ["news?window=2013-2017", "takes dataset_version"],
      ["news?widnow=2013-2017", "takes dataset_version"],
      ["?below=perhaps", "takes none"],
      ["everything.zip?format=csv", "takes none"],
      ["cases?country=DE", "takes type, dataset_version"],
      ["institution/02mhbdp94?dataset_version=x", "takes window, from, to, sort"],
    ] as const) {
      const [name = ""] = new URLSearchParams(path.split("?")[1]).keys();
      const { detail } = await expectProblem(await statistics.request(`/v1/${path}`), 422, "invalid-input", [
        name,
      ]);
      expect(detail, path).to.equal(`${name} is no parameter of this endpoint, which ${taken}.`);
    }
    const both = await statistics.request("/v1/news?window=1&region=2&utm_source=3");
    await expectProblem(both, 422, "invalid-input", ["window", "region"]);
  });

  it("a name that selects rows in other APIs is 422, with the parameters that do it here", async () => {
    for (const [path, instead] of [
      ["countries?year=2016", "; use from and to: it takes window, "],
      ["countries?Year=2016", "; use from and to: it takes window, "],
      ["countries?page=2", "; use limit and offset: it takes window, "],
      ["institutions?per_page=5", "; use limit and offset: it takes window, "],
      ["disciplines?order=desc", "; use sort: it takes window, "],
      ["papers?code=DE", "; use country: it takes window, "],
      ["papers?order=asc", ", which takes window, "],
      ["country/DE?year=2016", "; use from and to: it takes window, "],
      ["news?year=2016", ", which takes dataset_version."],
      ["cases?page=2", ", which takes type, dataset_version."],
      ["cases?search=Example", ", which takes type, dataset_version."],
      ["?page=2", ", which takes none."],
    ] as const) {
      const [name = ""] = new URLSearchParams(path.split("?")[1]).keys();
      const { detail } = await expectProblem(await statistics.request(`/v1/${path}`), 422, "invalid-input", [
        name,
      ]);
      expect(detail, path).to.include(`${name} is no parameter of this endpoint${instead}`);
    }
  });

  it("any other unknown parameter is ignored", async () => {
    const others = [
      "utm_source",
      "utm_medium",
      "utm_term",
      "foo",
      "_",
      "t",
      "token",
      "v",
      "ref",
      "source",
      "unknown",
      "fbclid",
      "lang",
    ];
    for (const path of [...PATHS, "/v1/windows", "/v1/papers"]) {
      const expected = await (await statistics.request(path)).text();
      for (const name of [...others, "__proto__", "constructor", "a".repeat(5_000)]) {
        const response = await statistics.request(`${path}${path.includes("?") ? "&" : "?"}${name}=1`);
        expect([response.status, await response.text()], `${path} ${name}`).to.deep.equal([200, expected]);
      }
    }
  });

  it("/v1 is the index too", async () => {
    const [alias, index] = [await statistics.request("/v1"), await statistics.request("/v1/")];
    expect(alias.status).to.equal(200);
    expect(await alias.text()).to.equal(await index.text());
  });

  it("says when an answer last changed, and sends nothing to a client that has it since", async () => {
    for (const path of [...PATHS, "/v1/countries?format=csv"]) {
      const changed = (await statistics.request(path)).headers.get("last-modified") ?? "";
      expect(Math.abs(Date.parse(changed) - Date.now()), path).to.be.below(600_000);
      const since = async (date: string, tag?: string) => {
        const headers = { "If-Modified-Since": date, ...(tag !== undefined && { "If-None-Match": tag }) };
        return (await statistics.request(path, { headers })).status;
      };
      expect(await since(changed), path).to.equal(304);
      expect(await since(new Date(Date.parse(changed) - 1_000).toUTCString()), path).to.equal(200);
      expect(await since("yesterday"), path).to.equal(200);
      expect(await since(changed, '"other"'), "a tag comes before a date").to.equal(200);
    }
  });

  it("window: an unlisted, malformed or empty one is 422 everywhere, and the valid ones are named", async () => {
    const windows = ["banana", "", "2003-2007", "2013-2016", "2013–2017", "2013-2017%20"];
    for (const path of ["countries", "institutions", "disciplines", "country/DE"]) {
      for (const window of windows) {
        const response = await statistics.request(`/v1/${path}?window=${window}`);
        const problem = await expectProblem(response, 422, "invalid-input", ["window"]);
        expect(problem.detail, path).to.equal("window must be one of 2013-2017, 2008-2017, 2008-2012.");
      }
    }
  });

  it("window: each listed one is taken and named in meta; without one it is the default", async () => {
    for (const path of ["countries", "institutions", "disciplines", "country/DE"]) {
      for (const [query, expected] of [
        ["", "2013-2017"],
        ["?window=2013-2017", "2013-2017"],
        ["?window=2008-2017", "2008-2017"],
        ["?window=2008-2012", "2008-2012"],
      ]) {
        const { meta } = WithMeta.parse(await (await statistics.request(`/v1/${path}${query}`)).json());
        expect(meta.window, path + query).to.equal(expected);
      }
    }
  });

  it("a code in any case is a country, a malformed one 422, one of no country and an unknown path 404", async () => {
    for (const code of ["DE", "de", "dE", "TW", "AQ"]) {
      expect((await statistics.request(`/v1/country/${code}`)).status, code).to.equal(200);
    }
    for (const code of ["DEU", "D", "D1", "D%20", "%C3%84%C3%84", "276"]) {
      await expectProblem(await statistics.request(`/v1/country/${code}`), 422, "invalid-input", ["code"]);
    }
    for (const code of ["XK", "xk", "UK", "SU", "EU", "ZZ"]) {
      await expectProblem(await statistics.request(`/v1/country/${code}`), 404, "country-not-found");
    }
    for (const path of ["/v1/nothing", "/v1/country/", "/v1/country/%FF", "/v2/countries", "/nothing"]) {
      await expectProblem(await statistics.request(path), 404, "not-found");
    }
  });

  it("each answer carries X-Request-Id, the client's own when it is sane", async () => {
    for (const path of [...PATHS, "/v1/nothing", "/v1/countries?window=banana"]) {
      const own = await statistics.request(path, { headers: { "X-Request-Id": "my-request.7" } });
      expect(own.headers.get("x-request-id"), path).to.equal("my-request.7");
      const made = await statistics.request(path, { headers: { "X-Request-Id": "no spaces" } });
      expect(made.headers.get("x-request-id"), path).to.match(/^[0-9a-f-]{36}$/);
    }
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
      const unpacked = { method: "HEAD", headers: { "Accept-Encoding": "identity" } };
      const { headers } = await statistics.request(path, unpacked);
      expect(headers.get("content-length")).to.equal(String(Buffer.byteLength(body)));
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

  it("answers OPTIONS for an unknown path with 404, which a page may read", async () => {
    for (const path of ["/nope", "/v1/nope", "/v1/%zz"]) {
      const headers = { Origin: "https://page.example", "Access-Control-Request-Method": "GET" };
      const answer = await statistics.request(path, { method: "OPTIONS", headers });
      expect(answer.headers.get("access-control-allow-origin"), path).to.equal("*");
      await expectProblem(answer, 404, "not-found");
    }
  });
});
