import { readIndexTemplate } from "./index-template.ts";
import {
  askOpenSearch,
  ignoreAlreadyExists,
  isBlocked,
  type OpenSearch,
  rethrowRefused,
} from "./opensearch.ts";

export type MetricsDocument = Readonly<
  Record<string, string | number | readonly string[] | null | undefined>
>;

/** These writes take milliseconds. Slower ones are abandoned, so that few are ever pending. */
const WRITE_LIMITS = { requestTimeout: 5_000, maxRetries: 0 };

/** A small index for dashboards, which the program never reads: a failed write is only reported. */
export class MetricsIndex {
  readonly #client: OpenSearch;
  readonly #prefix: string;
  readonly #name: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #settings: Readonly<Record<string, string>>;

  /**
   * @param name without the prefix, also the name of the template file.
   * @param settings of the index that replace the settings in the file and of an earlier start.
   */
  constructor(
    client: OpenSearch,
    prefix: string,
    name: string,
    onFailure: (error: unknown) => void,
    settings: Readonly<Record<string, string>> = {},
  ) {
    this.#client = client;
    this.#prefix = prefix;
    this.#name = name;
    this.#onFailure = onFailure;
    this.#settings = settings;
  }

  /**
   * Puts the template, creates a missing index and adds missing fields, for dashboards. A full disk, which blocks the last, is only
   * reported. @throws ConfigError when OpenSearch refuses access
   */
  async prepare(): Promise<void> {
    await askOpenSearch(async () => {
      const index = this.#index;
      const settings = this.#settings;
      const body = await readIndexTemplate(this.#name, this.#prefix, settings);
      await this.#client.indices.putIndexTemplate({ name: index, body });
      const { body: exists } = await this.#client.indices.exists({ index });
      if (!exists) {
        // Given here as well: with balanced zones, OpenSearch checks the request without the template. And a foreign template
        // with a higher priority may replace ours.
        await this.#client.indices.create({ index, body: body.template }).catch(ignoreAlreadyExists);
        return;
      }
      // A release may add fields.
      await this.#client.indices.putMapping({ index, body: body.template.mappings });
      if (Object.keys(settings).length > 0)
        await this.#client.indices.putSettings({ index, body: { index: settings } });
    }).catch((error: unknown) => {
      if (isBlocked(error)) this.#onFailure(error);
      else rethrowRefused(error);
    });
  }

  /** Never rejects. */
  async write(id: string, document: MetricsDocument): Promise<void> {
    try {
      await this.#client.index({ index: this.#index, id, body: document }, WRITE_LIMITS);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Removes a document if it exists. @throws DomainError `store_unavailable`: unlike a write, a removal has to be repeated. */
  async remove(id: string): Promise<void> {
    const removal = { index: this.#index, id };
    await askOpenSearch(() => this.#client.delete(removal, { ...WRITE_LIMITS, ignore: [404] }));
  }

  get #index(): string {
    return `${this.#prefix}${this.#name}`;
  }
}
