// The script of the page for developers.
import { control, controls, find, findOf } from "./elements.ts";
import { formatCount, say, sayCount } from "./messages.ts";
import { failed, readOverview, showPage } from "./page.ts";
import { enableTabs, updateSamples } from "./samples.ts";

/** More of an answer than anyone reads here; a browser lays it out without a pause. */
const BODY_CHARS = 30_000;

enableTabs();
enableTrying();
closeTables();
await showPage();

/** On a phone the tables of fields would fill most of the page, so they start closed. A link to one opens it. */
function closeTables(): void {
  if (!matchMedia("(max-width: 44rem)").matches) return;
  for (const table of document.querySelectorAll<HTMLDetailsElement>("details.fields")) table.open = false;
  addEventListener("hashchange", openTarget);
  openTarget();
}

function openTarget(): void {
  const target = document
    .getElementById(location.hash.slice(1))
    ?.closest<HTMLDetailsElement>("details.fields");
  if (target) target.open = true;
}

/** Sends requests to the endpoints, and updates the examples when the choices change. */
function enableTrying(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) enable(form);
  void offerWindows();
}

/** The windows that there are, for the fields that take one. */
async function offerWindows(): Promise<void> {
  const overview = await readOverview().catch(() => undefined);
  const ids = overview?.data.windows.map(({ id }) => id) ?? [];
  find("#windows").replaceChildren(...ids.map((id) => new Option(id, id)));
}

function enable(form: HTMLFormElement): void {
  const samples = find(".samples", form.parentElement ?? undefined);
  const update = () => {
    const path = pathOf(form);
    find(".address", form).textContent = path;
    updateSamples(samples, path, control(form, "format")?.value === "csv" ? "csv" : "json");
  };
  findOf(HTMLButtonElement, "button", form).disabled = false;
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  update();
}

function pathOf(form: HTMLFormElement): string {
  let { path = "" } = form.dataset;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of controls(form)) {
    if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    if (dataset.place === "query" && value.trim() !== "") query.set(name, value.trim());
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  // An apostrophe would end the address in a shell.
  return address.replaceAll("'", "%27");
}

async function send(form: HTMLFormElement): Promise<void> {
  const state = find(".state", form);
  const body = find(".body", form);
  const button = findOf(HTMLButtonElement, "button", form);
  button.disabled = true;
  state.textContent = say("loading");
  try {
    const started = performance.now();
    const response = await fetch(pathOf(form));
    const text = await response.text();
    const milliseconds = Math.max(1, Math.round(performance.now() - started));
    const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
    const answer = isJson ? JSON.parse(text) : undefined;
    state.textContent = summaryOf(response, answer, milliseconds);
    showBody(body, answer === undefined ? text : JSON.stringify(answer, null, 2));
  } catch (error) {
    body.hidden = true;
    state.textContent = failed(error);
  } finally {
    button.disabled = false;
  }
}

function summaryOf(
  response: Response,
  answer: { readonly data?: unknown } | undefined,
  milliseconds: number,
): string {
  const left = /;r=(\d+)/.exec(response.headers.get("RateLimit") ?? "")?.[1];
  const parts = [
    String(response.status),
    say("milliseconds", { count: formatCount(milliseconds) }),
    Array.isArray(answer?.data) ? sayCount("rows", answer.data.length) : "",
    left === undefined ? "" : sayCount("requestsLeft", Number(left)),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** The body takes the focus of the keyboard, as it scrolls. */
function showBody(body: HTMLElement, text: string): void {
  const isCut = text.length > BODY_CHARS;
  body.textContent = isCut ? `${text.slice(0, BODY_CHARS)}\n…\n${say("cut")}` : text;
  body.tabIndex = 0;
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", say("answerBody"));
  body.hidden = false;
  body.scrollTop = 0;
}
