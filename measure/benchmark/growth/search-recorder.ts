import { FaultProxy, passOn } from "../../../test/support/faults/fault-proxy.ts";

/** Stands before OpenSearch and keeps the bodies of the searches that pass. */
export class SearchRecorder {
  readonly url: string;
  readonly #proxy: FaultProxy;
  #bodies: string[] = [];

  private constructor(proxy: FaultProxy) {
    this.url = proxy.url;
    this.#proxy = proxy;
    proxy.set({
      on: /^POST \S*\/_msearch/,
      act: (exchange) => {
        this.#bodies.push(exchange.body.toString());
        return passOn(exchange);
      },
    });
  }

  static async open(node: string): Promise<SearchRecorder> {
    return new SearchRecorder(await FaultProxy.open(node));
  }

  /** The searches since the last call. */
  take(): readonly string[] {
    const bodies = this.#bodies;
    this.#bodies = [];
    return bodies;
  }

  close(): Promise<void> {
    return this.#proxy.close();
  }
}

/** Sends recorded searches again, one after another, and nothing else; gives milliseconds. */
export async function replaySearches(
  node: string,
  index: string,
  bodies: readonly string[],
): Promise<number> {
  const started = performance.now();
  for (const body of bodies) {
    const answer = await fetch(`${node}/${index}/_msearch`, {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`_msearch: ${answer.status} ${text.slice(0, 500)}`);
  }
  return performance.now() - started;
}
