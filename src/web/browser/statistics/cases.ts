// The script of the page with the documented cases.
import type { CaseItem } from "../../../statistics/read-model/rows.ts";
import { control, element, find } from "./elements.ts";
import { showList } from "./list.ts";
import { caseTypeName, countryName, formatYear, isolatedFromRight, say, sayCount } from "./messages.ts";
import { fillPart, showPage } from "./page.ts";

const ADDRESS = "/v1/cases";

await showPage(() =>
  fillPart<CaseItem[]>(find("#list"), ADDRESS, ({ meta, data }) => {
    if (data.length === 0) return say("noCases");
    return showList({
      items: data,
      entryOf,
      textOf: (item) => [item.title, item.summary, ...factsOf(item)].join(" "),
      isChosen: (item, form) => ["", item.type].includes(control(form, "type")?.value ?? ""),
      count: (count) => sayCount("cases", count),
      rowOf,
      download: { name: "cases", meta, address: ADDRESS },
    });
  }),
);

/** The texts come from the encyclopedia, in English. */
function entryOf(item: CaseItem): HTMLElement {
  const { title, summary, source } = item;
  const link = element("a", { href: source.url, lang: "en", dir: "auto" }, source.page_title);
  return element(
    "li",
    {},
    element("h2", { lang: "en", dir: "ltr" }, title),
    element("p", { class: "entry-facts" }, factsOf(item).map(isolatedFromRight).join(" · ")),
    element("p", { lang: "en", dir: "ltr" }, summary),
    element(
      "p",
      { class: "entry-source" },
      `${say("source")}: `,
      link,
      " · ",
      element("bdi", { class: "licence" }, source.license),
    ),
  );
}

function factsOf({ type, year, countries, institution, discipline }: CaseItem): string[] {
  const names = countries.map(countryName).join(", ");
  const when = year === null ? "" : formatYear(year);
  return [caseTypeName(type), when, names, institution ?? "", discipline ?? ""].filter((fact) => fact !== "");
}

/** The text has a licence of its own. */
function rowOf({ source: { license, url, ...source }, countries, ...item }: CaseItem): object {
  return { ...item, countries: countries.join(";"), ...source, url, text_license: license };
}
