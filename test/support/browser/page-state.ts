import { expect } from "chai";
import type { Page } from "playwright-core";

/** Pages update within a frame or two, but a busy machine takes longer. */
const TIMEOUT_MS = 30_000;
const PAUSE_MS = 20;

/** Waits until the element with this accessible name has the focus, which pages move after they have rendered. */
export async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
  const isMeant = (found: string) => (typeof name === "string" ? found === name : name.test(found));
  const found = await lastOf(focused, isMeant);
  expect(isMeant(found), `${name} has the focus, not “${found}”`).to.equal(true);
}

/** Waits until the query and fragment of the page's address are `end`: tests see a change later than the page's script. */
export async function expectAddress(page: Page, end: string): Promise<void> {
  const address = () => {
    const { search, hash } = new URL(page.url());
    return search + hash;
  };
  expect(await lastOf(address, (found) => found === end)).to.equal(end);
}

/** Waits until the rows of a list have these titles, in this order. */
export async function expectRows(page: Page, titles: readonly string[]): Promise<void> {
  const shown = () => page.locator(".row-title").allTextContents();
  expect(await lastOf(shown, (found) => found.join("\n") === titles.join("\n"))).to.deep.equal(titles);
}

/** Waits until `ask` gives this value: what follows a first rendering, such as scrolling or later blocks of a text, takes a moment. */
export async function expectSoon<T>(ask: () => Promise<T>, meant: T, message?: string): Promise<void> {
  const isMeant = (found: T) => JSON.stringify(found) === JSON.stringify(meant);
  expect(await lastOf(ask, isMeant), message).to.deep.equal(meant);
}

async function lastOf<T>(ask: () => T | Promise<T>, isMeant: (found: T) => boolean): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await ask();
    if (isMeant(found) || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
