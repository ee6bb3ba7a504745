// The retracted papers behind the figures of a place, page by page.
import type { z } from "zod";
import type { PapersAnswer } from "../../../statistics/api/schema.ts";
import type { PaperRow } from "../../../statistics/read-model/rows.ts";
import { keepChoices, restoreChoices } from "./choices.ts";
import { control, element, find, findOf } from "./elements.ts";
import { offerDownloads } from "./figure.ts";
import {
  countryName,
  disciplineName,
  formatCount,
  formatDay,
  formatYear,
  say,
  sayCount,
  tag,
} from "./messages.ts";
import { type Answer, countryPage, fillPart, readApi } from "./page.ts";

const PAGE_ROWS = 20;

/** Makes a function that lists the papers of some years, from the page of the list that the address of this page names. */
export function papersOf(
  kind: string,
  code: string,
): (years: Readonly<Record<string, string>>) => Promise<void> {
  const part = find("#papers");
  const form = findOf(HTMLFormElement, "form", part);
  const first = control(form, "offset");
  if (first === undefined) throw new Error("the list of papers has no pages");
  restoreChoices(form, "papers.");
  let query: Readonly<Record<string, string>> = {};
  const show = (): Promise<void> => {
    const offset = /^\d{1,9}$/.test(first.value) ? Number(first.value) : 0;
    const all = `/v1/papers?${new URLSearchParams({ [kind]: code, ...query })}`;
    return fillPart(part, `${all}&limit=${PAGE_ROWS}&offset=${offset}`, present);

    function present({ meta, data }: Answer<PaperRow[], z.output<typeof PapersAnswer>["meta"]>): string {
      const { total } = meta.counts;
      if (data.length === 0 && total > 0) {
        goTo(0);
        return say("loading");
      }
      find(".drawing", part).hidden = total === 0;
      if (total === 0) return sayCount("papers", total);
      find(".entries", part).replaceChildren(...data.map(entryOf));
      const last = offset + data.length;
      find(".extent", form).textContent =
        `${formatCount(offset + 1)}–${formatCount(last)} / ${formatCount(total)}`;
      form.hidden = data.length === total;
      for (const [name, start] of [
        ["previous", offset === 0 ? undefined : Math.max(0, offset - PAGE_ROWS)],
        ["next", last === total ? undefined : last],
      ] as const) {
        const button = findOf(HTMLButtonElement, `.${name}`, form);
        button.disabled = start === undefined;
        button.onclick = () => {
          goTo(start ?? 0);
          part.scrollIntoView();
        };
      }
      const rows = async () => (await readApi<PaperRow[]>(all)).data;
      offerDownloads(part, { name: `${code}-papers-${meta.window}`, rows, meta, address: all });
      return sayCount("papers", total);
    }
  };
  const goTo = (offset: number): void => {
    first.value = offset === 0 ? "" : String(offset);
    keepChoices(form, "papers.", "#papers");
    void show();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  return (years) => {
    // The first call has the years that the address names, and later ones come from the reader.
    if (Object.keys(query).length > 0) {
      first.value = "";
      keepChoices(form, "papers.");
    }
    query = years;
    return show();
  };
}

/** Titles and reasons are those of Retraction Watch, mostly in English. */
function entryOf(paper: PaperRow): HTMLElement {
  const { doi, record_id, title, year, countries, institutions, field_id, retracted_on, reasons } = paper;
  const name = title ?? doi ?? `Retraction Watch ${record_id ?? ""}`;
  const places = [
    ...listed(countries).map((code) => placeLink(countryName(code), countryPage(code))),
    ...(field_id === null ? [] : [placeLink(disciplineName(field_id), `/disciplines/${field_id}/${tag}`)]),
    ...listed(institutions).map((ror) => {
      const id = ror.slice(ror.lastIndexOf("/") + 1);
      return placeLink(id, `/institutions/${id}/${tag}`);
    }),
  ];
  // A DOI may contain a semicolon itself.
  const notices = listed(paper.notice_doi, /;(?=10\.\d)/).map((notice) => doiLink(notice, notice));
  const when = [say("publishedIn", { year: formatYear(year) })];
  if (retracted_on !== null) when.push(say("retractedOn", { date: formatDay(retracted_on) }));
  return element(
    "li",
    {},
    element("h3", {}, doi === null ? element("bdi", {}, name) : doiLink(doi, name)),
    element("p", { class: "entry-facts" }, when.join(" · ")),
    element("p", { class: "entry-facts" }, ...separated(places, " · ")),
    element("p", {}, `${say("reasons")}: `, element("bdi", { lang: "en" }, listed(reasons).join("; "))),
    ...(notices.length === 0
      ? []
      : [element("p", { class: "entry-source" }, `${say("notice")}: `, ...separated(notices, " · "))]),
  );
}

/** The values of a cell. */
function listed(cell: string, separator: string | RegExp = ";"): readonly string[] {
  return cell.split(separator).filter((one) => one !== "");
}

function placeLink(name: string, href: string | undefined): HTMLElement {
  return element("bdi", {}, href === undefined ? name : element("a", { href }, name));
}

function doiLink(doi: string, text: string): HTMLElement {
  const href = `https://doi.org/${encodeURIComponent(doi).replaceAll("%2F", "/")}`;
  return element("a", { href, rel: "noreferrer", class: "doi" }, element("bdi", {}, text));
}

function separated(nodes: readonly HTMLElement[], separator: string): (Node | string)[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [separator, node]));
}
