import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** A request as an embedding server sees it. */
export type EmbeddingsRequest = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
};

/** An answer in place of the right one. `body` is sent as JSON unless it is text; without any, the server stays silent. */
export type OtherAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

const Body = z.object({ model: z.string(), input: z.array(z.string()), encoding_format: z.literal("float") });

/** What `inOtherLanguage` appends to each word. */
const ENDING = "zz";

/** A translation of a text, as the server's vectors see it. */
export function inOtherLanguage(text: string): string {
  return text.replaceAll(/\p{L}+/gu, (word) => word + ENDING);
}

/** A server in the shape of OpenAI's embeddings, whose vectors depend on the words of a text alone, in either language. */
export class EmbeddingsDouble {
  readonly requests: EmbeddingsRequest[] = [];
  /** Undefined for the right answer. */
  answer: (request: EmbeddingsRequest, index: number) => OtherAnswer | undefined = () => undefined;
  dimensions = 96;
  /** Other vectors for the same words. */
  seed = 1;
  delayMs = 0;
  inFlightMax = 0;
  #inFlight = 0;
  #server: Server | undefined;
  #port = 0;

  /** Ends at the address of an earlier start. */
  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      this.inFlightMax = Math.max(this.inFlightMax, ++this.#inFlight);
      response.on("close", () => this.#inFlight--);
      const { model, input } = Body.parse(JSON.parse(await text(request)));
      const { authorization } = request.headers;
      const asked = { path: request.url ?? "", authorization, model, input };
      const other = this.answer(asked, this.requests.push(asked) - 1);
      if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      const { status = 200, headers = {}, body } = other ?? { body: this.rightAnswer(input) };
      if (body === undefined) return;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    const address = server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      if (server === undefined) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  rightAnswer(input: readonly string[]): { data: { index: number; embedding: number[] }[] } {
    return { data: input.map((one, index) => ({ index, embedding: this.vectorOf(one) })) };
  }

  /** Twice as long as needed: servers need not normalise. */
  vectorOf(sentence: string): number[] {
    const sums = new Array<number>(this.dimensions).fill(0);
    for (const word of sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["nothing"]) {
      let state = this.seed;
      for (const letter of word.replace(new RegExp(`${ENDING}$`), ""))
        state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
      for (const at of sums.keys()) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        sums[at] = (sums[at] ?? 0) + (state / 2 ** 31 - 1);
      }
    }
    const length = Math.hypot(...sums);
    return sums.map((sum) => (2 * sum) / length);
  }
}
