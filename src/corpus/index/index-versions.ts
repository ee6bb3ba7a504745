import { z } from "zod";
import { ConfigError } from "../../platform/domain-error.ts";
import { readIndexTemplate } from "../../platform/opensearch/index-template.ts";
import { askOpenSearch, ignoreAlreadyExists, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";

/** Fixed when an index is created. Replicas are made as far as there are nodes for them. */
export type IndexLayout = {
  readonly shards: number;
  readonly replicas: number;
  /** Whether chunks are deleted soon and read often until then, so that speed counts more than size. */
  readonly isShortLived?: boolean;
};

/** One shard of 10 to 30 GB, as recommended, holds 10 to 30 million chunks. One replica, so that any one node may be lost. */
export const DEFAULT_LAYOUT: IndexLayout = { shards: 1, replicas: 1 };

/** Replicas expand with the cluster: with a fixed number, the index of a single node would stay yellow permanently. */
export function layoutSettings({ shards, replicas, isShortLived = false }: IndexLayout) {
  const layout = { number_of_shards: shards, number_of_replicas: 0, ...replicaSettings({ replicas }) };
  return isShortLived ? { ...layout, ...FOR_SPEED } : layout;
}

/** OpenSearch's defaults, in place of the template's settings that save space. */
const FOR_SPEED = { codec: "default", "merge.policy.deletes_pct_allowed": 20 } as const;

/** Also of the small indices: a cluster with balanced zones takes only indices whose copies are a multiple of the zones. */
export function replicaSettings({ replicas }: Pick<IndexLayout, "replicas">) {
  return { auto_expand_replicas: `0-${replicas}` };
}

/** The names under which chunks are stored. Readers and writers use only the first two. */
export type ChunkIndexNames = {
  readonly readAlias: string;
  readonly writeAlias: string;
  /** The index that a rebuild fills, from its creation to the swap. */
  readonly nextAlias: string;
  /** A pattern for the indices of all numbers. */
  readonly everyIndex: string;
};

/*
 * The states of an index version, which its aliases tell.
 *
 * - next (`chunks-next`): a rebuild fills it; searches do not see it.
 *   When it holds all documents and sampled chunks are found in it, move to current.
 *   When the rebuild is interrupted, stay: the next rebuild continues with it. When it was made by another release or with another
 *   number of shards, or the rebuild must start from the beginning, delete it.
 * - current (`chunks-read` and `chunks-write`): checks search it, and all writers write to it. There is at most one.
 *   When another version becomes current, move to former, in the request that moves the aliases.
 *   When its terms differ from the terms of this program (`isSearchable` is false), stay: checks and uploads wait until a rebuild has
 *   replaced it.
 * - former (none of these aliases): kept as a way back; only deletions of documents still change it.
 *   When `corpus:rebuild -- --drop-old` asks for it, delete it.
 *   When there is no current version, as after a restore without aliases, move the latest searchable one to next.
 *
 * The first version is created as current, for a corpus without fingerprinted documents.
 */

export type IndexVersion = {
  readonly name: string;
  readonly number: number;
  /** Whether its terms are the terms that this program makes. */
  readonly isSearchable: boolean;
  readonly shards: number;
  readonly createdAt: Date;
  /** `current`: behind the aliases; `next`: being filled by a rebuild; `former`: behind no alias of ours. */
  readonly role: "current" | "next" | "former";
};

/** The numbered chunk indices and their aliases, which a rebuild moves from one to the next. */
export class IndexVersions {
  readonly names: ChunkIndexNames;
  readonly layout: IndexLayout;
  readonly #client: OpenSearch;
  readonly #prefix: string;

  constructor(client: OpenSearch, prefix: string, layout: IndexLayout = DEFAULT_LAYOUT) {
    this.names = {
      readAlias: `${prefix}chunks-read`,
      writeAlias: `${prefix}chunks-write`,
      nextAlias: `${prefix}chunks-next`,
      everyIndex: `${prefix}chunks-v*`,
    };
    this.layout = layout;
    this.#client = client;
    this.#prefix = prefix;
  }

  /** In the order of their numbers. A closed one has a number, too, which a new one can't get. */
  async list(): Promise<IndexVersion[]> {
    const index = this.names.everyIndex;
    const { body } = await askOpenSearch(() => this.#client.indices.get({ index, expand_wildcards: "all" }));
    const version = await currentFingerprintVersion();
    return Object.entries(Indices.parse(body))
      .flatMap(([name, index]) => this.#toVersion(name, index, version))
      .toSorted((a, b) => a.number - b.number);
  }

  /** The number of shards of the current index if the next one would have another number. */
  async otherShards(): Promise<number | undefined> {
    const current = (await this.list()).find(({ role }) => role === "current");
    return current?.shards === this.layout.shards ? undefined : current?.shards;
  }

  /**
   * Marks the open indices as those of the database that was set up at this moment, at each start. Another database's service would delete
   * its chunks as those of deleted documents. @throws ConfigError when an index is marked as another's
   */
  async claim(databaseSetUp: string): Promise<void> {
    const { body } = await askOpenSearch(() => this.#client.indices.get({ index: this.names.everyIndex }));
    const indices = Object.entries(Indices.parse(body)).map(([index, { mappings }]) => ({
      index,
      meta: mappings._meta,
    }));
    for (const { index, meta } of indices) {
      if (meta?.database_set_up === undefined || meta.database_set_up === databaseSetUp) continue;
      throw new ConfigError(
        `The index ${index} belongs to another database, which was set up at ${meta.database_set_up}; this one was set up at ${databaseSetUp}. Set OPENSEARCH_INDEX_PREFIX to a prefix of this installation, or DATABASE_URL to that database. If that database is gone, delete the indices whose names begin with ${this.#prefix}.`,
      );
    }
    for (const { index, meta } of indices) {
      if (meta === undefined || meta.database_set_up !== undefined) continue;
      const _meta = { ...meta, database_set_up: databaseSetUp };
      // A full disk, among others, prevents it; the next start tries again.
      await this.#client.indices.putMapping({ index, body: { _meta } }).catch(() => undefined);
    }
  }

  nameAfter(versions: readonly IndexVersion[]): string {
    const last = versions.at(-1)?.number ?? 0;
    return `${this.#prefix}chunks-v${last + 1}`;
  }

  /** Creates the index that readers and writers use. @throws ResponseError when the name is taken. */
  async createCurrent(name: string): Promise<void> {
    const { readAlias, writeAlias } = this.names;
    const aliases = { [readAlias]: {}, [writeAlias]: { is_write_index: true } };
    const settings = { index: layoutSettings(this.layout) };
    await this.#client.indices.create({ index: name, body: { aliases, settings } });
    await this.#assertOwnTemplate(name);
  }

  /** Until `finishFilling` it is refreshed only on request. Replicas exist from the beginning, so that no work is lost. */
  async createNext(name: string): Promise<void> {
    const settings = { index: { ...layoutSettings(this.layout), ...FILLING_SETTINGS } };
    const body = { aliases: { [this.names.nextAlias]: {} }, settings };
    await askOpenSearch(() => this.#client.indices.create({ index: name, body })).catch(ignoreAlreadyExists);
    await this.#assertOwnTemplate(name);
  }

  /** Of all templates that match an index, OpenSearch takes the one with the highest priority. @throws ConfigError */
  async #assertOwnTemplate(name: string): Promise<void> {
    const { body } = await askOpenSearch(() => this.#client.indices.get({ index: name }));
    if (Indices.parse(body)[name]?.mappings._meta?.fingerprint_version !== undefined) return;
    await this.drop([name]);
    const { priority } = await readTemplateFile();
    throw new ConfigError(
      `OpenSearch created ${name} from a foreign index template: its priority is higher than ${priority}, and one of its index_patterns matches ${name}. Find it with GET /_index_template, and lower its priority or narrow its index_patterns.`,
    );
  }

  /** Lets a rebuild continue with an index that has no alias. */
  async markNext(name: string): Promise<void> {
    await askOpenSearch(() => this.#client.indices.putAlias({ index: name, name: this.names.nextAlias }));
  }

  /** Gives the index the settings of a current one and makes all of its chunks findable. */
  async finishFilling(name: string): Promise<void> {
    const { refresh_interval } = (await readTemplate()).settings.index;
    const index = { refresh_interval, ...replicaSettings(this.layout) };
    await askOpenSearch(() => this.#client.indices.putSettings({ index: name, body: { index } }));
    await makeFindable(this.#client, name);
  }

  /** Moves the aliases to this index in one request, which may be repeated: they exist at every moment. */
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

  /** Deletes indices for good; missing ones are ignored. */
  async drop(names: readonly string[]): Promise<void> {
    for (const index of names) {
      await askOpenSearch(() => this.#client.indices.delete({ index, ignore_unavailable: true }));
    }
  }

  #toVersion(
    name: string,
    { aliases, mappings, settings }: z.output<typeof AnIndex>,
    fingerprintVersion: number,
  ): IndexVersion[] {
    const number = /^chunks-v([1-9]\d*)$/.exec(name.slice(this.#prefix.length))?.[1];
    if (number === undefined) return [];
    const has = (alias: string) => Object.hasOwn(aliases, alias);
    const role = has(this.names.readAlias) ? "current" : has(this.names.nextAlias) ? "next" : "former";
    const { number_of_shards: shards, creation_date } = settings.index;
    const isSearchable = mappings._meta?.fingerprint_version === fingerprintVersion;
    const createdAt = new Date(creation_date);
    return [{ name, number: Number(number), isSearchable, shards, createdAt, role }];
  }
}

/** The version of the terms that this program makes; searches in an index of another version would find nothing. */
export async function currentFingerprintVersion(): Promise<number> {
  return (await readTemplate()).mappings._meta.fingerprint_version;
}

/** -1: only on request. */
const FILLING_SETTINGS = { refresh_interval: "-1" } as const;

/** The fields of a chunk, as the template has them. */
export async function chunkFields(): Promise<Readonly<Record<string, object>>> {
  return (await readTemplate()).mappings.properties;
}

type TemplateFile = z.output<typeof ChunkTemplate>;

let templateFile: Promise<TemplateFile> | undefined;

/** Read once per process, as every search asks for the version. */
function readTemplateFile(): Promise<TemplateFile> {
  templateFile ??= readIndexTemplate("chunks", "").then((file) => ChunkTemplate.parse(file));
  return templateFile;
}

async function readTemplate(): Promise<TemplateFile["template"]> {
  return (await readTemplateFile()).template;
}

/** `database_set_up` is missing until the next start, and in indices that earlier releases made. */
const Meta = z.looseObject({ fingerprint_version: z.int(), database_set_up: z.string().optional() });

const ChunkTemplate = z.looseObject({
  priority: z.int(),
  template: z.looseObject({
    settings: z.looseObject({ index: z.looseObject({ refresh_interval: z.string() }) }),
    mappings: z.looseObject({ _meta: Meta, properties: z.record(z.string(), z.looseObject({})) }),
  }),
});

const AnIndex = z.looseObject({
  aliases: z.record(z.string(), z.unknown()),
  mappings: z.looseObject({ _meta: Meta.partial().optional() }),
  settings: z.object({
    index: z.object({ number_of_shards: z.coerce.number().int(), creation_date: z.coerce.number().int() }),
  }),
});

const Indices = z.record(z.string(), AnIndex);
