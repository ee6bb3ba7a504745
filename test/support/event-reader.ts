/** One block of a stream of server-sent events, its fields as they were written. */
export type StreamBlock = {
  /** The name, undefined for an event without one. */
  readonly event: string | undefined;
  readonly data: string | undefined;
  readonly comment: string | undefined;
};

/** Reads a stream of server-sent events block by block. */
export class EventReader {
  readonly response: Response;
  readonly #chunks: AsyncIterator<string>;
  #buffer = "";

  constructor(response: Response) {
    this.response = response;
    const text = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>();
    this.#chunks = text[Symbol.asyncIterator]();
  }

  /** The next block; undefined once the server has closed the stream. */
  async next(): Promise<StreamBlock | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return toBlock(block);
      }
      const { done, value } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#buffer += value;
    }
  }

  /** All blocks until the server closes the stream. */
  async rest(): Promise<StreamBlock[]> {
    const blocks: StreamBlock[] = [];
    for (let block = await this.next(); block !== undefined; block = await this.next()) blocks.push(block);
    return blocks;
  }

  /** Leaves the stream. */
  async cancel(): Promise<void> {
    await this.#chunks.return?.();
  }
}

function toBlock(block: string): StreamBlock {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    }),
  );
  return { event: fields.get("event"), data: fields.get("data"), comment: fields.get("") };
}
