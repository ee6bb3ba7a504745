// Sends requests to the endpoints, and keeps the examples in step with what is chosen.
import { readOverview } from "./api.js";
import { formatCount, say, sayCount } from "./messages.js";
import { updateSamples } from "./samples.js";

/** More of an answer than anyone reads here; a browser lays it out without a pause. */
const BODY_CHARS = 30_000;

export function enableTrying() {
  for (const form of document.querySelectorAll("form.try")) enable(form);
  void offerWindows();
}

/** The windows that there are, for the fields that take one. */
async function offerWindows() {
  const overview = await readOverview().catch(() => undefined);
  const ids = overview?.data.windows.map(({ id }) => id) ?? [];
  document.getElementById("windows").replaceChildren(...ids.map((id) => new Option(id, id)));
}

function enable(form) {
  const samples = form.parentElement.querySelector(".samples");
  const update = () => {
    const path = pathOf(form);
    form.querySelector(".address").textContent = path;
    updateSamples(samples, path, form.elements.format?.value === "csv" ? "csv" : "json");
  };
  form.querySelector("button").disabled = false;
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  update();
}

function pathOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.elements) {
    if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    if (dataset.place === "query" && value.trim() !== "") query.set(name, value.trim());
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  // An apostrophe would end the address in a shell.
  return address.replaceAll("'", "%27");
}

async function send(form) {
  const [state, body, button] = [".state", ".body", "button"].map((selector) => form.querySelector(selector));
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
    state.textContent = say("failed", { reason: error.message });
  } finally {
    button.disabled = false;
  }
}

function summaryOf(response, answer, milliseconds) {
  const left = /;r=(\d+)/.exec(response.headers.get("RateLimit") ?? "")?.[1];
  const parts = [
    String(response.status),
    say("milliseconds", { count: formatCount(milliseconds) }),
    Array.isArray(answer?.data) && sayCount("rows", answer.data.length),
    left !== undefined && sayCount("requestsLeft", Number(left)),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The body takes the focus of the keyboard, as it scrolls. */
function showBody(body, text) {
  const isCut = text.length > BODY_CHARS;
  body.textContent = isCut ? `${text.slice(0, BODY_CHARS)}\n…\n${say("cut")}` : text;
  body.tabIndex = 0;
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", say("answerBody"));
  body.hidden = false;
  body.scrollTop = 0;
}
