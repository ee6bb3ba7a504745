import { FALLBACK, findLanguage } from "../../../http/languages/languages.ts";
import { type Catalogue, createTexts } from "../../../http/languages/texts.ts";

/** The language of the page, which the server chose; English outside a browser. */
const locale = typeof document === "undefined" ? "en" : document.documentElement.lang;
const { tag } = findLanguage(locale.split("-")[0] ?? "") ?? FALLBACK;

/** The tag of the page's language, as the API names it for documents in that language. */
export const pageLanguage = tag;

export const isRightToLeft = typeof document !== "undefined" && document.documentElement.dir === "rtl";

const { default: catalogue }: { default: Catalogue } = await import(
  `../../../http/languages/catalogue/${tag}.json`,
  { with: { type: "json" } }
);

/** The browser's variant of the page's language has its own forms of numbers and dates: `en-GB`. */
const ownLocale = navigator.languages.find((one) => one.split("-")[0] === tag) ?? locale;

/** The texts of the page's language. */
export const texts = createTexts(catalogue, ownLocale);

export const { say, sayCount, sayParts, countParts, languageName } = texts;

/** Keeps the reader's choice of the language, and shows the page in it. */
function followChoice(): void {
  const choice = document.getElementById("language");
  if (!(choice instanceof HTMLSelectElement)) return;
  choice.addEventListener("change", () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, and services also run on plain HTTP
    document.cookie = `${choice.dataset.cookie}=${choice.value}; path=/; max-age=${KEPT_S}; samesite=lax`;
    location.reload();
  });
}

/** The longest that browsers keep a cookie. */
const KEPT_S = 400 * 24 * 60 * 60;

if (typeof document !== "undefined") followChoice();
