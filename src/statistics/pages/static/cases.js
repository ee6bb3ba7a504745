// The script of the page with the documented cases.
import { element } from "./elements.js";
import { showList } from "./list.js";
import { caseTypeName, countryName, formatYear, say, sayCount } from "./messages.js";
import { fillPart, showPage } from "./page.js";

const ADDRESS = "/v1/cases";

await showPage(() =>
  fillPart(document.getElementById("list"), ADDRESS, ({ meta, data }) => {
    if (data.length === 0) return say("noCases");
    return showList({
      items: data,
      entryOf,
      textOf: (item) => [item.title, item.summary, ...factsOf(item)].join(" "),
      isChosen: (item, { type }) => type.value === "" || item.type === type.value,
      count: (count) => sayCount("cases", count),
      rowOf,
      download: { name: "cases", meta, address: ADDRESS },
    });
  }),
);

/** The texts are those of the encyclopedia, in English. */
function entryOf(item) {
  const { title, summary, source } = item;
  const link = element("a", { href: source.url, lang: "en" }, source.page_title);
  return element(
    "li",
    {},
    element("h2", { lang: "en", dir: "ltr" }, title),
    element("p", { class: "entry-facts" }, factsOf(item).join(" · ")),
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

function factsOf({ type, year, countries, institution, discipline }) {
  const names = countries.map(countryName).join(", ");
  return [caseTypeName(type), year === null ? "" : formatYear(year), names, institution, discipline].filter(
    Boolean,
  );
}

/** The text has a licence of its own. */
function rowOf({ source: { license, url, ...source }, countries, ...item }) {
  return { ...item, countries: countries.join(";"), ...source, url, text_license: license };
}
