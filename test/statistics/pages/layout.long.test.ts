import { join } from "node:path";
import { LANGUAGES } from "../../../src/http/languages/languages.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { expectLayout, PHONE, WIDER_LANGUAGES } from "./expect-layout.ts";
import { openPage } from "./open-page.ts";

const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");

/** The pages are laid out anew many times, on machines that have other things to do. */
const LAYOUT_TIMEOUT_MS = 240_000;

describe("the statistics pages in a browser: layout in the other languages", function () {
  this.timeout(LAYOUT_TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  for (const { tag, name } of LANGUAGES.filter((one) => !WIDER_LANGUAGES.includes(one.tag)))
    it(`is kept in ${name}`, () =>
      expectLayout(
        (path, options) => openPage(browser, `${statistics.address}${path}`, options, [PROBES]),
        tag,
        [PHONE],
      ));
});
