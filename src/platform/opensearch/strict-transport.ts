import { errors } from "@opensearch-project/opensearch";
import { QuietTransport } from "./quiet-transport.ts";

export type Params = Parameters<QuietTransport["request"]>[0];
export type Options = NonNullable<Parameters<QuietTransport["request"]>[1]>;
type Callback = NonNullable<Parameters<QuietTransport["request"]>[2]>;
type Answer = Parameters<Callback>[1];
export type Asked = Promise<Answer> & { readonly abort: () => void };

/** What the last of the attempts may take beyond its own limit, which the client sees to itself. */
const GRACE_MS = 1_000;

/**
 * A transport that takes nothing for an answer but a whole one of OpenSearch.
 *
 * The client gives a time limit to the head of an answer only: one whose body stops on its way, as when a firewall has
 * dropped the connection, is waited for without end, and so is the check that asked. Here the limit is that of the whole
 * request, with all its attempts.
 *
 * A page of a load balancer that comes with status 200 is handed on by the client as a string, where every caller expects
 * JSON; here it is the same error as JSON that breaks off.
 */
export class StrictTransport extends QuietTransport {
  override request(params: Params, options?: Options): Asked;
  override request(
    params: Params,
    options: Options | undefined,
    callback: Callback,
  ): { readonly abort: () => void };
  override request(params: Params, options: Options = {}, callback?: Callback) {
    // The client's own calls, when it looks for further nodes.
    if (callback !== undefined) return super.request(params, options, callback);
    return this.ask(params, options);
  }

  /** A request of the program itself: a promise, and none of the client's callbacks. */
  protected ask(params: Params, options: Options): Asked {
    const asked = super.request(params, options);
    return Object.assign(within(this.#limitMs(options), asked, params), { abort: () => asked.abort() });
  }

  #limitMs({ requestTimeout, maxRetries = this.maxRetries }: Options): number {
    const ofAttempt = typeof requestTimeout === "number" ? requestTimeout : this.requestTimeout;
    return (maxRetries + 1) * ofAttempt + GRACE_MS;
  }
}

async function within(limitMs: number, asked: Asked, { method }: Params): Promise<Answer> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    asked.abort();
  }, limitMs);
  try {
    const answer = await asked;
    if (method !== "HEAD" && typeof answer.body === "string")
      throw new errors.DeserializationError("the answer is not JSON", "");
    return answer;
  } catch (error) {
    throw isLate ? new errors.ConnectionError("the answer did not come to its end") : error;
  } finally {
    clearTimeout(timer);
  }
}
