import { z } from "zod";

// Answers of OpenSearch as they are when a part of an index did not take part, made of whole ones.

const Json = z.record(z.string(), z.unknown());
const Responses = z.looseObject({ responses: z.array(Json) });
const Docs = z.looseObject({ docs: z.array(Json) });
const Items = z.looseObject({ items: z.array(z.object({ index: Json })) });

/** A search or a count with other members: `{ timed_out: true }`. */
export function withMembers(members: object): (body: unknown) => unknown {
  return (body) => ({ ...Json.parse(body), ...members });
}

/** Every search of several with other members. */
export function eachSearchWith(members: object): (body: unknown) => unknown {
  return (body) => ({
    responses: Responses.parse(body).responses.map((one) => ({ ...one, ...members, hits: NO_HITS })),
  });
}

/** Every search of several refused. */
export function eachSearchRefused(status: number, type: string): (body: unknown) => unknown {
  return (body) => ({
    responses: Responses.parse(body).responses.map(() => ({ status, error: { type, reason: type } })),
  });
}

/** Some searches of several rejected by a full queue: those at the positions that `chosen` picks. */
export function searchesRejected(chosen: (position: number) => boolean): (body: unknown) => unknown {
  const error = { type: "rejected_execution_exception", reason: "queue capacity" };
  return (body) => ({
    responses: Responses.parse(body).responses.map((one, position) =>
      chosen(position) ? { status: 429, error } : one,
    ),
  });
}

/** Every document of several not read, as when its shard has failed. */
export function eachDocumentRefused(type: string): (body: unknown) => unknown {
  return (body) => ({
    docs: Docs.parse(body).docs.map(({ _index, _id }) => ({
      _index,
      _id,
      error: { type, reason: type, index: _index },
    })),
  });
}

/** Some items of a bulk refused: those at the positions that `chosen` picks. */
export function itemsRefused(
  status: number,
  type: string,
  chosen: (position: number) => boolean = () => true,
): (body: unknown) => unknown {
  return (body) => ({
    errors: true,
    items: Items.parse(body).items.map(({ index }, position) =>
      chosen(position) ? { index: { ...index, status, error: { type, reason: type } } } : { index },
    ),
  });
}

/** A shard failed, or is with nobody: OpenSearch leaves the latter out of `failed`. */
export const SHARD_FAILED = { _shards: { total: 2, successful: 1, skipped: 0, failed: 1 } } as const;
export const SHARD_AWAY = { _shards: { total: 2, successful: 1, skipped: 0, failed: 0 } } as const;
export const TIMED_OUT = { timed_out: true } as const;

const NO_HITS = { hits: [] } as const;
