import { expect } from "chai";
import type { Page } from "playwright-core";

/** What a page does once it has drawn is there within a frame or two; a busy machine takes its time. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 20;

/** Waits until what a screen reader calls so has the focus: a page moves it after it has drawn what a test waited for. */
export async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
  const isMeant = (found: string) => (typeof name === "string" ? found === name : name.test(found));
  const found = await lastOf(focused, isMeant);
  expect(isMeant(found), `${name} has the focus, not “${found}”`).to.equal(true);
}

/** Waits until the page's address ends so, query and fragment: a test learns of it some time after the page's script. */
export async function expectAddress(page: Page, end: string): Promise<void> {
  const address = () => {
    const { search, hash } = new URL(page.url());
    return search + hash;
  };
  expect(await lastOf(address, (found) => found === end)).to.equal(end);
}

async function lastOf<T>(ask: () => T | Promise<T>, isMeant: (found: T) => boolean): Promise<T> {
  const patientUntil = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await ask();
    if (isMeant(found) || Date.now() > patientUntil) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
