import { expect } from "chai";
import { docsRouter } from "../../../src/http/docs/docs.ts";
import { engineApi } from "../../../src/service/engine-api.ts";
import { statisticsApi } from "../../../src/service/statistics-api.ts";
import { contrastsOf } from "../../support/browser/contrast.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { type Fixture, serve } from "../http-fixture.ts";

const TIMEOUT_MS = 120_000;

describe("the documentation in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const listeners = {
    engine: docsRouter(engineApi(), { path: "/", label: "Similarity Check" }),
    statistics: docsRouter(statisticsApi(), { path: "/", label: "Statistics" }),
  };
  /** An element that each tool draws once it has read the OpenAPI document. */
  const tools = [
    { path: "/docs", drawn: ".opblock-summary" },
    { path: "/redoc", drawn: "#redoc h2" },
  ];

  for (const [name, router] of Object.entries(listeners)) {
    describe(`of the ${name}`, () => {
      let server: Fixture;
      before(async () => {
        server = await serve([router]);
      });
      after(() => server.stop());

      for (const { path, drawn } of tools) {
        for (const colorScheme of ["light", "dark"] as const) {
          it(`leads back from ${path} and is readable in the ${colorScheme} scheme`, async () => {
            const { page, complaints } = await browser.open(server.address + path, { colorScheme });
            await page.locator(drawn).first().waitFor({ timeout: TIMEOUT_MS });
            const home = page.locator(".docs-bar .home");
            expect(await home.getAttribute("href")).to.equal("/");
            expect(await home.textContent()).to.equal(
              `← ${name === "engine" ? "Similarity Check" : "Statistics"}`,
            );
            expect(await page.locator(".docs-bar [aria-current=page]").getAttribute("href")).to.equal(path);
            const bar = await contrastsOf(page, ".docs-bar");
            expect(bar[0]?.isDark, "a dark page").to.equal(colorScheme === "dark");
            expect(bar.filter(({ contrast }) => contrast < 4.5)).to.deep.equal([]);
            // The light colours are those of the tools.
            const texts = colorScheme === "light" ? [] : await contrastsOf(page, "body");
            expect(texts.filter(({ contrast }) => contrast < 3.5)).to.deep.equal([]);
            expect(complaints).to.deep.equal([]);
            await page.setViewportSize({ width: 360, height: 740 });
            const box = await page.locator(".docs-bar").boundingBox();
            expect(box?.width, "on a phone").to.be.at.most(360);
          });
        }
      }
    });
  }

  it("follows a change of the colour scheme", async () => {
    const server = await serve([listeners.engine]);
    try {
      for (const { path, drawn } of tools) {
        const { page } = await browser.open(server.address + path, { colorScheme: "light" });
        await page.locator(drawn).first().waitFor({ timeout: TIMEOUT_MS });
        // Redoc loads the page again.
        const isFollowed =
          path === "/redoc" ? page.waitForEvent("load") : page.locator("html.dark-mode").waitFor();
        await page.emulateMedia({ colorScheme: "dark" });
        await isFollowed;
        await page.locator(drawn).first().waitFor({ timeout: TIMEOUT_MS });
        const [seen] = await contrastsOf(page, "h1");
        expect(seen?.isDark, path).to.equal(true);
      }
    } finally {
      await server.stop();
    }
  });
});
