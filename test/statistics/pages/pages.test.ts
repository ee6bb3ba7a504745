import { type OutgoingHttpHeaders, request as rawRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { LANGUAGE_TAGS, LANGUAGES } from "../../../src/http/languages/languages.ts";
import { COUNTRIES } from "../../../src/statistics/facts/countries.ts";
import { CATALOGUES } from "../../../src/statistics/pages/languages.ts";
import { pagesRouter } from "../../../src/statistics/pages/pages-router.ts";
import { serve } from "../../http/http-fixture.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";

/** Each page at the path that answers in the reader's language, and at that of a language. */
const PAGES: readonly (readonly [negotiated: string, pathIn: (tag: string) => string])[] = [
  ["/", (tag) => `/story/${tag}`],
  ["/countries/DE", (tag) => `/countries/DE/${tag}`],
  ["/institutions/02mhbdp94", (tag) => `/institutions/02mhbdp94/${tag}`],
  ["/disciplines/27", (tag) => `/disciplines/27/${tag}`],
  ["/cases", (tag) => `/cases/${tag}`],
  ["/news", (tag) => `/news/${tag}`],
  ["/developers", (tag) => `/developers/${tag}`],
];

describe("decisions, Statistics: the pages in their languages", () => {
  const statistics = useStatistics();

  const languageFor = async (accepted: string, path = "/developers") => {
    const response = await statistics.request(path, { headers: { "Accept-Language": accepted } });
    expect(response.status, accepted).to.equal(200);
    expect(response.headers.get("Vary"), accepted).to.match(/\bAccept-Language\b/);
    return response.headers.get("Content-Language");
  };
  const read = async (path: string) => {
    const response = await statistics.request(path);
    expect(response.status, path).to.equal(200);
    return response.text();
  };
  // fetch sends more headers than it is told to, and not all that it is told.
  const ask = (path: string, headers: OutgoingHttpHeaders) =>
    new Promise<{ readonly status: number; readonly language: string | undefined; readonly body: string }>(
      (resolve, reject) => {
        const sent = rawRequest(`${statistics.address}${path}`, { headers });
        sent.on("error", reject).on("response", async (answer) => {
          const { statusCode, headers } = answer;
          resolve({
            status: statusCode ?? 0,
            language: headers["content-language"],
            body: await text(answer),
          });
        });
        sent.end();
      },
    );

  it("answers in the language that the browser likes best of those there are", async () => {
    expect(await languageFor("de-AT,en;q=0.5")).to.equal("de");
    expect(await languageFor("en;q=0.4, ja;q=0.9")).to.equal("ja");
    expect(await languageFor("zh-Hans-CN")).to.equal("zh-Hans");
    expect(await languageFor("cy, pt-BR;q=0.2")).to.equal("pt");
    expect(await languageFor("fr;q=0, it;q=0.1")).to.equal("it");
  });

  it("answers in English when none of them is there, or any will do", async () => {
    expect(await languageFor("cy")).to.equal("en");
    expect(await languageFor("*")).to.equal("en");
    expect(await languageFor("")).to.equal("en");
    expect(await languageFor("!!")).to.equal("en");
    expect((await ask("/developers", {})).language).to.equal("en");
  });

  it("does so on every page", async () => {
    for (const [path] of PAGES) expect(await languageFor("ja", path), path).to.equal("ja");
  });

  it("answers at a language's own address in that one, whatever the browser likes", async () => {
    for (const [, pathIn] of PAGES) {
      for (const { tag, locale, direction } of LANGUAGES) {
        const path = pathIn(tag.toUpperCase());
        const response = await statistics.request(path, { headers: { "Accept-Language": "en" } });
        expect(response.headers.get("Content-Type"), path).to.equal("text/html; charset=utf-8");
        expect(response.headers.get("Content-Language"), path).to.equal(locale);
        expect(await response.text(), path).to.include(`<html lang="${locale}" dir="${direction}">`);
      }
    }
  });

  it("answers 404 for a language that is not there, with those that are", async () => {
    for (const [, pathIn] of PAGES) {
      for (const tag of ["tlh", "constructor", "de-AT"]) {
        const { detail } = await expectProblem(await statistics.request(pathIn(tag)), 404, "not-found");
        expect(detail).to.include("de, en, es");
      }
    }
  });

  it("has the page of every country of ISO 3166-1, in any case of its code, and of no other", async () => {
    expect(await read("/countries/fr/en")).to.include("<h1>France</h1>");
    for (const { code, isIso } of COUNTRIES) {
      const { status } = await statistics.request(`/countries/${code}/en`, { method: "HEAD" });
      expect(status, code).to.equal(isIso ? 200 : 404);
    }
    for (const code of ["XK", "ZZ", "DEU", "d%C3%A9", "constructor"]) {
      await expectProblem(await statistics.request(`/countries/${code}`), 404, "country-not-found");
      await expectProblem(await statistics.request(`/countries/${code}/de`), 404, "country-not-found");
    }
  });

  it("shows a browser that asks for what is not there a page in its language, with a way on", async () => {
    for (const [path, language] of [
      ["/countries/XK", "fr"],
      ["/countries/XK/ar", "ar"],
      ["/story/tlh", "fr"],
    ] as const) {
      const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "fr" };
      const response = await statistics.request(path, { headers });
      expect(response.status, path).to.equal(404);
      expect(response.headers.get("Content-Language"), path).to.equal(language);
      const markup = await response.text();
      expect(markup, path).to.include(`<h1>${CATALOGUES[language].page.notFound.heading}</h1>`);
      expect(markup, path).to.include(`href="/story/${language}"`).and.to.include('id="choose-country"');
    }
  });

  it("links the page in every language, and the negotiated one as x-default", async () => {
    for (const [negotiated, pathIn] of PAGES) {
      const alternates = [
        ...LANGUAGES.map(({ tag, locale }) => [locale, `${statistics.address}${pathIn(tag)}`]),
        ["x-default", `${statistics.address}${negotiated}`],
      ];
      for (const tag of LANGUAGE_TAGS) {
        const markup = await read(pathIn(tag));
        const links = [...markup.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)];
        expect(
          links.map(([, language, href]) => [language, href]),
          pathIn(tag),
        ).to.deep.equal(alternates);
        const canonical = `<link rel="canonical" href="${statistics.address}${pathIn(tag)}">`;
        expect(markup, pathIn(tag)).to.include(canonical);
      }
    }
  });

  it("has the same structure, tables and examples in every language", async () => {
    for (const [, pathIn] of PAGES) {
      const english = outlineOf(await read(pathIn("en")));
      for (const tag of LANGUAGE_TAGS) {
        expect(outlineOf(await read(pathIn(tag))), pathIn(tag)).to.deep.equal(english);
      }
    }
    const english = outlineOf(await read("/developers/en"));
    expect(english.tags).to.have.length.above(1_000);
    expect(english.examples).to.have.length.above(25);
  });

  it("leaves no value unfilled and no code unmarked", async () => {
    for (const path of LANGUAGE_TAGS.flatMap((tag) => PAGES.map(([, pathIn]) => pathIn(tag)))) {
      const shown = (await read(path))
        .replace(/data-(messages|path)="[^"]*"/g, "")
        .replace(/<(code|pre)[ >].*?<\/\1>/gs, "");
      expect(shown.match(/.{0,20}(`|\{\w*\}|undefined|\[object).{0,20}/g), path).to.equal(null);
      expect(shown, path).not.to.include("origin.invalid");
    }
  });

  it("lets the browser run and load what comes from here alone, and has nothing inline", async () => {
    for (const [, pathIn] of PAGES) {
      const response = await statistics.request(pathIn("en"));
      const policy = response.headers.get("Content-Security-Policy");
      expect(policy).to.include("default-src 'none'").and.to.include("script-src 'self'");
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      const markup = await response.text();
      expect(
        markup.match(
          /<style|<script(?![^>]* src=|(?: type="application\/ld\+json"))| on\w+="|style="|javascript:/g,
        ),
      ).to.equal(null);
      const loaded = [
        ...markup.matchAll(/<(?:script|img)[^>]* src="([^"]+)"|<link rel="(?:stylesheet|icon)"[^>]*/g),
      ];
      expect(loaded).to.have.length.above(2);
      for (const [tag] of loaded) expect(tag).to.match(/(?:src|href)="(\/pages\/|data:image\/svg)/);
    }
  });

  it("names the address under which it was asked, and nothing that is no address", async () => {
    const pageFor = async (host: string) => (await ask("/developers/en", { Host: host })).body;
    const named = await pageFor("stats.example.org:8443");
    expect(named).to.include('href="http://stats.example.org:8443/developers/de"');
    expect(await pageFor("[::1]:80")).to.include('href="http://[::1]:80/developers/de"');
    const hostile = await pageFor(`evil"><b`);
    expect(hostile).to.include('hreflang="de" href="/developers/de"').and.not.to.include("evil");
  });

  it("believes what a trusted proxy says of that address, and nobody else", async () => {
    const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "stats.example.org" };
    const asked = await statistics.request("/developers/en", { headers });
    expect(await asked.text()).to.include(`href="${statistics.address}/developers/de"`);
    const trustedProxies = [{ address: "127.0.0.1", family: "ipv4", prefix: undefined } as const];
    const { address } = await statistics.addReplica({ trustedProxies });
    const proxied = await (await fetch(`${address}/developers/en`, { headers })).text();
    expect(proxied).to.include('href="https://stats.example.org/developers/de"');
  });

  it("answers an unchanged page with 304, and HEAD without a body", async () => {
    const first = await statistics.request("/developers/de");
    const etag = first.headers.get("ETag") ?? "";
    expect(await ask("/developers/de", { "If-None-Match": etag })).to.include({ status: 304, body: "" });
    expect(await ask("/developers/en", { "If-None-Match": etag })).to.include({ status: 200 });
    const head = await statistics.request("/developers/de", { method: "HEAD" });
    expect([head.status, head.headers.get("ETag"), await head.text()]).to.deep.equal([200, etag, ""]);
  });

  it("serves its files for good, under an address that changes with them, and no others", async () => {
    const pages = await Promise.all(PAGES.map(([, pathIn]) => read(pathIn("en"))));
    const urls = new Set([...pages.join("").matchAll(/"(\/pages\/[^"]+)"/g)].map(([, url]) => url ?? ""));
    const modules = new Set<string>();
    for (const url of [...urls].filter((one) => one.endsWith(".js")))
      await modulesOf((path) => statistics.request(path), url, modules);
    // The pages of places share a script.
    expect(modules.size).to.be.above(PAGES.length - 2);
    for (const url of [...urls, ...modules]) {
      const response = await statistics.request(url);
      expect(response.status, url).to.equal(200);
      expect(response.headers.get("Cache-Control"), url).to.include("immutable");
      expect(response.headers.get("Content-Type"), url).to.match(/^text\/(css|javascript)/);
    }
    for (const url of ["/pages/none.js", "/pages/..%2fhtml.ts"])
      await expectProblem(await statistics.request(url), 404, "not-found");
  });
});

describe("the statistics pages of an instance that was started without its built pages", () => {
  it("are a problem that names the command that builds them, also where the path names no language", async () => {
    const server = await serve([
      pagesRouter(
        undefined,
        () => false,
        [],
        () => Promise.reject(new Error("no data")),
      ),
    ]);
    try {
      for (const path of [...PAGES.flatMap(([path, pathIn]) => [path, pathIn("de")]), "/cases/xx"]) {
        const answer = await fetch(server.address + path, { headers: { Accept: "text/html" } });
        expect(answer.status, path).to.equal(503);
        expect(await answer.text(), path).to.include("npm run build:pages");
      }
    } finally {
      await server.stop();
    }
  });
});

/** Tags, identifiers and names of the API in their order, without the words; and the examples. */
function outlineOf(markup: string) {
  const examples = [...markup.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, content]) =>
    content?.replace(/<span class="comment".*?<\/span>/g, ""),
  );
  const bare = markup.replace(/<(code|pre)[ >].*?<\/\1>/gs, "<$1>").replace(/ aria-current="page"/, "");
  const tags = [...bare.matchAll(/<(\/?\w+)[^>]*?(?: id="([^"]*)")?[^>]*>/g)];
  const controls = [...bare.matchAll(/ (?:name|value|placeholder|data-place)="([^"]*)"/g)];
  return {
    tags: tags.map(([, tag, id]) => `${tag} ${id ?? ""}`),
    names: [...markup.matchAll(/<th scope="row"><code[^>]*>(.*?)<\/code>/g)].map(([, name]) => name),
    // Countries are listed in the order of the language.
    controls: controls.map(([, value]) => value).toSorted(),
    examples,
  };
}

/** Adds the addresses of a module and of all that it imports. */
async function modulesOf(
  request: (path: string) => Promise<Response>,
  url: string,
  found: Set<string>,
): Promise<void> {
  if (found.has(url)) return;
  found.add(url);
  const source = await (await request(url)).text();
  for (const [, name] of source.matchAll(/(?:from|import)\s*["`]\.\/([^"`]+)["`]/g)) {
    await modulesOf(request, url.replace(/[^/]+$/, name ?? ""), found);
  }
}
