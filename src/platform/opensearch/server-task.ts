import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "./opensearch.ts";

/** The state of a background task of OpenSearch. */
export type ServerTask =
  | { readonly state: "running" }
  /** `fault` is the first error, in OpenSearch's words. */
  | { readonly state: "ended"; readonly fault: string | undefined }
  /** Its node was restarted, so its progress is unknown. */
  | { readonly state: "lost" };

/**
 * Reads the state of a task that was started with `wait_for_completion=false`.
 * @param taskId from the answer to that request: `node:number`.
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

/** The answer to a request that starts a task. */
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
