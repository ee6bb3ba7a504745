import { z } from "zod";
import { readIndexTemplate } from "../../platform/opensearch/index-template.ts";
import { askOpenSearch, ignoreAlreadyExists, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import { DEFAULT_LAYOUT, type IndexLayout, layoutSettings } from "./index-layout.ts";

/** The names of everything in which chunks stand. Readers and writers only ever name the first two. */
export type ChunkIndexNames = {
  readonly readAlias: string;
  readonly writeAlias: string;
  /** Names the index that a rebuild fills, from its creation to the swap. */
  readonly nextAlias: string;
  /** A pattern for the indices of all numbers. */
  readonly everyIndex: string;
};

export function chunkIndexNames(prefix: string): ChunkIndexNames {
  return {
    readAlias: `${prefix}chunks-read`,
    writeAlias: `${prefix}chunks-write`,
    nextAlias: `${prefix}chunks-next`,
    everyIndex: `${prefix}chunks-v*`,
  };
}

/** One of the numbered indices. */
export type IndexVersion = {
  readonly name: string;
  readonly number: number;
  /** Whether its terms are of the generation that this program makes, and its chunks where this program looks for them. */
  readonly isSearchable: boolean;
  readonly shards: number;
  /** `standing`: behind the aliases; `next`: being filled by a rebuild; `former`: behind none of ours. */
  readonly role: "standing" | "next" | "former";
};

/**
 * The numbered indices of chunks and the aliases before them. A rebuild makes the next number, fills it under an alias
 * of its own, and moves the aliases of readers and writers in one call.
 * Every method throws DomainError `store_unavailable` when OpenSearch does not answer.
 */
export class IndexVersions {
  readonly names: ChunkIndexNames;
  /** Of the next index that is made. */
  readonly layout: IndexLayout;
  readonly #client: OpenSearch;
  readonly #prefix: string;

  constructor(client: OpenSearch, prefix: string, layout: IndexLayout = DEFAULT_LAYOUT) {
    this.names = chunkIndexNames(prefix);
    this.layout = layout;
    this.#client = client;
    this.#prefix = prefix;
  }

  /** All of them, in the order of their numbers. */
  async list(): Promise<IndexVersion[]> {
    const { body } = await askOpenSearch(() => this.#client.indices.get({ index: this.names.everyIndex }));
    const current = await currentFingerprintVersion();
    return Object.entries(Indices.parse(body))
      .flatMap(([name, index]) => this.#toVersion(name, index, current))
      .toSorted((a, b) => a.number - b.number);
  }

  /** The shards of the standing index, where these are not as many as the next one would have. */
  async otherShards(): Promise<number | undefined> {
    const standing = (await this.list()).find(({ role }) => role === "standing");
    return standing?.shards === this.layout.shards ? undefined : standing?.shards;
  }

  /** The name that the index after all of these has. */
  nameAfter(versions: readonly IndexVersion[]): string {
    const last = versions.at(-1)?.number ?? 0;
    return `${this.#prefix}chunks-v${last + 1}`;
  }

  /** Makes the index that readers and writers use. @throws ResponseError when there is one of this name. */
  async createStanding(name: string): Promise<void> {
    const { readAlias, writeAlias } = this.names;
    const aliases = { [readAlias]: {}, [writeAlias]: { is_write_index: true } };
    const settings = { index: layoutSettings(this.layout) };
    await this.#client.indices.create({ index: name, body: { aliases, settings } });
  }

  /**
   * Makes an index to be filled, from the current templates. Until `finishFilling` nothing in it is findable before a
   * refresh: that saves the work of keeping so while millions of chunks come. It has its copies from the beginning: without
   * them a node that is lost would take the work of days with it. One of this name may stay.
   */
  async createNext(name: string): Promise<void> {
    const settings = { index: { ...layoutSettings(this.layout), ...FILLING_SETTINGS } };
    const body = { aliases: { [this.names.nextAlias]: {} }, settings };
    await askOpenSearch(() => this.#client.indices.create({ index: name, body })).catch(ignoreAlreadyExists);
  }

  /** Has a rebuild go on with an index that stands behind no alias. */
  async markNext(name: string): Promise<void> {
    await askOpenSearch(() => this.#client.indices.putAlias({ index: name, name: this.names.nextAlias }));
  }

  /** Gives the index the settings that a standing one has, and makes everything in it findable. */
  async finishFilling(name: string): Promise<void> {
    const { refresh_interval } = (await readTemplate()).settings.index;
    // The copies too: an earlier release may have begun this index without any.
    const { auto_expand_replicas } = layoutSettings(this.layout);
    const index = { refresh_interval, auto_expand_replicas };
    await askOpenSearch(() => this.#client.indices.putSettings({ index: name, body: { index } }));
    await this.refresh(name);
  }

  async refresh(name: string): Promise<void> {
    await makeFindable(this.#client, name);
  }

  /**
   * Puts the aliases of readers and writers before this index and no other, in one call: no request meets a moment
   * without them. Repeating it changes nothing, so that it may be sent again when the answer was lost.
   */
  async swap(name: string): Promise<void> {
    const { readAlias, writeAlias, nextAlias, everyIndex } = this.names;
    const removals = [readAlias, writeAlias, nextAlias].map((alias) => ({
      remove: { index: everyIndex, alias, must_exist: false },
    }));
    const additions = [
      { add: { index: name, alias: readAlias } },
      { add: { index: name, alias: writeAlias, is_write_index: true } },
    ];
    const body = { actions: [...removals, ...additions] };
    await askOpenSearch(() => this.#client.indices.updateAliases({ body }));
  }

  /** Deletes indices for good; one that is gone already is no error. */
  async drop(names: readonly string[]): Promise<void> {
    for (const index of names) {
      await askOpenSearch(() => this.#client.indices.delete({ index, ignore_unavailable: true }));
    }
  }

  /** Primaries and their copies: how many there should be, and how many there are. */
  async copies(name: string): Promise<{ readonly wanted: number; readonly made: number }> {
    const { body } = await askOpenSearch(() =>
      this.#client.indices.stats({ index: name, metric: ["docs"], level: "cluster" }),
    );
    const { total, successful } = Copies.parse(body)._shards;
    return { wanted: total, made: successful };
  }

  #toVersion(
    name: string,
    { aliases, mappings, settings }: z.output<typeof AnIndex>,
    current: number,
  ): IndexVersion[] {
    const number = /^chunks-v([1-9]\d*)$/.exec(name.slice(this.#prefix.length))?.[1];
    if (number === undefined) return [];
    const has = (alias: string) => Object.hasOwn(aliases, alias);
    const role = has(this.names.readAlias) ? "standing" : has(this.names.nextAlias) ? "next" : "former";
    const shards = settings.index.number_of_shards;
    const isSearchable =
      mappings._meta?.fingerprint_version === current &&
      // What an earlier release wrote without routing is found where there is one shard to look into.
      (shards === 1 || mappings._routing?.required === true);
    return [{ name, number: Number(number), isSearchable, shards, role }];
  }
}

/** The generation of terms that this program makes: searches in an index of another one would find nothing. */
export async function currentFingerprintVersion(): Promise<number> {
  return (await readTemplate()).mappings._meta.fingerprint_version;
}

/** -1: only when told. */
const FILLING_SETTINGS = { refresh_interval: "-1" } as const;

type Template = z.output<typeof ChunkTemplate>["template"];

let template: Promise<Template> | undefined;

/** Every search asks for its generation, so the file is read once a process. */
function readTemplate(): Promise<Template> {
  template ??= readIndexTemplate("chunks", "").then((file) => ChunkTemplate.parse(file).template);
  return template;
}

const Meta = z.looseObject({ fingerprint_version: z.int() });

const ChunkTemplate = z.looseObject({
  template: z.looseObject({
    settings: z.looseObject({ index: z.looseObject({ refresh_interval: z.string() }) }),
    mappings: z.looseObject({ _meta: Meta }),
  }),
});

const Routing = z.object({ required: z.boolean().optional() });

const AnIndex = z.looseObject({
  aliases: z.record(z.string(), z.unknown()),
  mappings: z.looseObject({ _meta: Meta.partial().optional(), _routing: Routing.optional() }),
  settings: z.object({ index: z.object({ number_of_shards: z.coerce.number().int() }) }),
});

const Indices = z.record(z.string(), AnIndex);

const Copies = z.looseObject({ _shards: z.looseObject({ total: z.int(), successful: z.int() }) });
