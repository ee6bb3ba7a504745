import { expect } from "chai";
import { isStoreUnavailable } from "../../../src/platform/flow/retry-policy.ts";

/** What is asked has to fail as it does while a store is away: to be done again, and nothing to be believed of it. */
export async function expectAway(ask: () => Promise<unknown>): Promise<void> {
  const outcome = await ask().then(
    () => "it did not fail",
    (error: unknown) => error,
  );
  expect(isStoreUnavailable(outcome), String(outcome)).to.equal(true);
}
