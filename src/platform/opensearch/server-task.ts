import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "./opensearch.ts";

/** How OpenSearch stands with work that it was asked to do in the background. */
export type ServerTask =
  | { readonly state: "running" }
  /** `fault`: what went wrong, in OpenSearch's words. */
  | { readonly state: "ended"; readonly fault: string | undefined }
  /** Its node was restarted: how far it came is not known. */
  | { readonly state: "lost" };

/**
 * Looks after a task that was begun with `wait_for_completion=false`.
 * @param taskId as that answer gave it: `node:number`.
 * @throws DomainError `store_unavailable`.
 */
export async function readServerTask(opensearch: OpenSearch, taskId: string): Promise<ServerTask> {
  const body = await askOpenSearch(() => opensearch.tasks.get({ task_id: taskId }))
    .then((answer) => Task.parse(answer.body))
    .catch(ifNotFound);
  if (body === undefined) return { state: "lost" };
  if (!body.completed) return { state: "running" };
  const failures = body.response?.failures ?? body.response?._shards?.failures ?? [];
  const fault = body.error ?? body.response?.canceled ?? failures[0];
  return { state: "ended", fault: fault === undefined ? undefined : JSON.stringify(fault) };
}

/** The answer to a request that began a task. */
export const BegunTask = z.looseObject({ task: z.string() });

const Task = z.looseObject({
  completed: z.boolean(),
  error: z.unknown().optional(),
  response: z
    .looseObject({
      canceled: z.string().optional(),
      failures: z.array(z.unknown()).optional(),
      _shards: z.looseObject({ failures: z.array(z.unknown()).optional() }).optional(),
    })
    .optional(),
});

function ifNotFound(error: unknown): undefined {
  if (error instanceof errors.ResponseError && error.statusCode === 404) return undefined;
  throw error;
}
