// The script of the page with the documented cases.
import type { CaseItem } from "../../../statistics/read-model/rows.ts";
import { control, element, find } from "./elements.ts";
import { showList } from "./list.ts";
import {
  caseTypeName,
  countryName,
  formatDay,
  formatYear,
  isolatedFromRight,
  say,
  sayCount,
} from "./messages.ts";
import { fillPart, showPage } from "./page.ts";

const ADDRESS = "/v1/cases";

await showPage(() =>
  fillPart<CaseItem[]>(find("#list"), ADDRESS, ({ meta, data }) => {
    if (data.length === 0) return say("noCases");
    return showList({
      items: data,
      entryOf,
      textOf: (item) =>
        [item.title, item.summary, item.statement, say(item.finding), ...factsOf(item)].join(" "),
      isChosen: (item, form) => ["", item.type].includes(control(form, "type")?.value ?? ""),
      count: (count) => sayCount("cases", count),
      rowOf,
      download: { name: "cases", meta, address: ADDRESS },
    });
  }),
);

/** The texts come from the encyclopedia, in English. The sentence that says plagiarism is marked. */
function entryOf(item: CaseItem): HTMLElement {
  const { title, summary, finding, statement, source } = item;
  const at = summary.indexOf(statement);
  // A long summary is cut, perhaps before the statement.
  const around = at < 0 ? [`${summary} `, ""] : [summary.slice(0, at), summary.slice(at + statement.length)];
  const [before = "", after = ""] = around;
  const revised = source.revised_at === null ? "" : `, ${formatDay(source.revised_at)}`;
  const link = element("a", { href: source.url, lang: "en", dir: "auto" }, source.page_title);
  return element(
    "li",
    {},
    element("h2", { lang: "en", dir: "ltr" }, title),
    element("p", {}, element("strong", {}, say(finding))),
    element("p", { class: "entry-facts" }, factsOf(item).map(isolatedFromRight).join(" · ")),
    element("p", { lang: "en", dir: "ltr" }, before, element("mark", {}, statement), after),
    element(
      "p",
      { class: "entry-source" },
      `${say("source")}: `,
      link,
      `${revised} · `,
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
