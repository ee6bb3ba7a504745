// Common to all pages: languages, examples, and the parts that are filled from the API of the same instance.
import type { z } from "zod";
import type { Meta as MetaSchema, OverviewData, WindowsData } from "../../../statistics/api/schema.ts";
import { control, element, find, findAll, findOf } from "./elements.ts";
import { say, tag } from "./messages.ts";
import { enableCopying, setOrigin } from "./samples.ts";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/text.css";
import "./styles/code.css";
import "./styles/charts.css";

export type Meta = z.output<typeof MetaSchema>;
export type Answer<Data, M = Meta> = { readonly meta: M; readonly data: Data };

/** The index of the API, with the years of the data. */
export type Overview = Answer<OverviewData> & { readonly years: WindowsData };

/** The answer of a path in JSON. @throws Error with the problem's own words when the request fails */
export async function readApi<Data, M = Meta>(path: string): Promise<Answer<Data, M>> {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? String(response.status));
  return answer;
}

let overview: Promise<Overview> | undefined;

/** Requested once: pages and try-it forms need it. */
export function readOverview(): Promise<Overview> {
  overview ??= Promise.all([readApi<OverviewData>("/v1/"), readApi<WindowsData>("/v1/windows")]).then(
    ([index, { data: years }]) => ({ ...index, years }),
  );
  return overview;
}

/** In a frame of another page, only the chart that the address names is shown. */
function showEmbedded(): void {
  const id = new URLSearchParams(location.search).get("embed") ?? "";
  let part: Element | null = document.getElementById(id);
  if (!part?.matches("figure")) return;
  for (; part.parentElement !== null; part = part.parentElement)
    for (const other of part.parentElement.children) other.classList.toggle("unembedded", other !== part);
}

type Filling = (overview: Overview) => Promise<void> | void;

/** @param fillings fill the parts of the page that need data, each from the index of the API */
export async function showPage(...fillings: readonly Filling[]): Promise<void> {
  showEmbedded();
  setOrigin();
  enableCopying();
  keepPlace();
  enableCountryChoice();
  // Screen readers wait with the page until it is filled.
  const main = find("#main");
  main.ariaBusy = "true";
  if (document.getElementById("synthetic") !== null) await fillWithData(fillings);
  main.ariaBusy = "false";
}

async function fillWithData(fillings: readonly Filling[]): Promise<void> {
  const places = findAll(".needs-data");
  try {
    const read = await readOverview();
    const isEmpty = read.meta.generated_at === null;
    find("#never-loaded").hidden = !isEmpty;
    find("#synthetic").hidden = read.meta.dataset_version?.startsWith("demo-") !== true;
    for (const place of places) place.hidden = isEmpty;
    if (!isEmpty) await Promise.all(fillings.map((fill) => fill(read)));
  } catch (error) {
    for (const place of places) place.hidden = true;
    const notice = find("#unreadable");
    notice.textContent = failed(error);
    notice.hidden = false;
  }
}

/** Says why something could not be read. */
export function failed(error: unknown): string {
  return say("failed", { reason: error instanceof Error ? error.message : String(error) });
}

/** What each part of the page has asked for last. */
const asked = new WeakMap<HTMLElement, object>();

/**
 * Reads the data of a part of the page, which is busy meanwhile. Its state says so, then gives the remark that `show` returns, or
 * why reading failed. Of requests that overlap, the last one is shown, also where all have the same address.
 */
export async function fillPart<Data, M extends Pick<Meta, "caveats"> = Meta>(
  part: HTMLElement,
  address: string,
  show: (answer: Answer<Data, M>, address: string) => string,
  read: (address: string) => Promise<Answer<Data, M>> = readApi<Data, M>,
): Promise<void> {
  const request = {};
  const isLast = () => asked.get(part) === request;
  asked.set(part, request);
  const state = find(".state", part);
  state.textContent = say("loading");
  part.ariaBusy = "true";
  try {
    const answer = await read(address);
    if (isLast()) {
      state.textContent = show(answer, address);
      showCaveats(part, answer.meta.caveats);
    }
  } catch (error) {
    if (isLast()) state.textContent = failed(error);
  }
  if (isLast()) part.ariaBusy = "false";
}

/** What the API says about the figures of a part, in its own words. Commands in them stand between backticks. */
function showCaveats(part: HTMLElement, caveats: readonly string[]): void {
  const place = part.querySelector<HTMLElement>(".caveats");
  if (place === null) return;
  place.hidden = caveats.length === 0;
  const pieces = (caveat: string) =>
    caveat.split("`").map((piece, index) => (index % 2 === 0 ? piece : element("code", {}, piece)));
  find("ul", place).replaceChildren(...caveats.map((caveat) => element("li", {}, ...pieces(caveat))));
}

/** The address of the page of a country in the language of this page. */
export function countryPath(code: string): string {
  return `/countries/${code}/${tag}`;
}

/** The same where there is a page: the API has no answer for Kosovo, whose code is not in the standard. */
export function countryPage(code: string): string | undefined {
  return code === "XK" ? undefined : countryPath(code);
}

function enableCountryChoice(): void {
  const form = document.getElementById("choose-country");
  if (!(form instanceof HTMLFormElement)) return;
  findOf(HTMLButtonElement, "button", form).disabled = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(countryPath(control(form, "country")?.value ?? ""));
  });
}

/** Links to other languages keep the place in the page, and the list closes when the reader goes on. */
function keepPlace(): void {
  const list = findOf(HTMLDetailsElement, "details.languages");
  for (const link of list.querySelectorAll("a")) {
    link.addEventListener("click", () => {
      link.hash = location.hash;
      link.search = location.search;
    });
  }
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Node && list.contains(target))) list.open = false;
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !list.open) return;
    list.open = false;
    find("summary", list).focus();
  });
}
