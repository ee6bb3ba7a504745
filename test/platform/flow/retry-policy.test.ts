import { expect } from "chai";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { createRetryPolicy } from "../../../src/platform/flow/retry-policy.ts";

const AWAY = new DomainError("store_unavailable", "PostgreSQL does not answer.");

describe("retries while a store is unavailable", () => {
  let said: string[];
  const say = (line: string) => {
    said.push(line);
  };

  beforeEach(() => {
    said = [];
  });

  /** Fails so many times, and then gives 7. */
  function failing(times: number, error: unknown = AWAY): () => Promise<number> {
    let left = times;
    return () => (left-- > 0 ? Promise.reject(error) : Promise.resolve(7));
  }

  it("repeat the work until it succeeds, and announce the wait and its end once", async () => {
    const withRetries = createRetryPolicy({ waitMs: 60_000, say });
    expect(await Promise.all([withRetries(failing(1)), withRetries(failing(2))])).to.deep.equal([7, 7]);
    expect(said[0]).to.equal("PostgreSQL does not answer. Waiting for it up to 60 s.");
    expect(said.filter((line) => line === "The stores answer again.").length).to.be.within(1, 2);
    expect(said.at(-1)).to.equal("The stores answer again.");
  });

  it("end after their time with the last error of the work", async () => {
    const withRetries = createRetryPolicy({ waitMs: 0, say });
    expect(await withRetries(failing(1)).catch((error: unknown) => error)).to.equal(AWAY);
    expect(said).to.deep.equal([]);
  });

  it("do not happen for other errors", async () => {
    const error = new Error("a fault of its own");
    const withRetries = createRetryPolicy({ waitMs: 60_000, say });
    expect(await withRetries(failing(1, error)).catch((reason: unknown) => reason)).to.equal(error);
  });

  it("start nothing after the signal is aborted", async () => {
    const withRetries = createRetryPolicy({ waitMs: 60_000, say, signal: AbortSignal.abort("stopped") });
    let began = false;
    const work = async () => {
      began = true;
    };
    expect(await withRetries(work).catch((reason: unknown) => reason)).to.equal("stopped");
    expect(began).to.equal(false);
  });
});
