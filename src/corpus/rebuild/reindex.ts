import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch, securityRefusal } from "../../platform/opensearch/opensearch.ts";
import { BegunTask, readServerTask } from "../../platform/opensearch/server-task.ts";

/** How often the progress of the task is read. */
const POLL_MS = 500;

/** Chunks that OpenSearch reads and writes in one batch: about 1.5 MB. With a throttle it pauses between batches. */
const BATCH_CHUNKS = 1_000;

type Options = {
  readonly from: string;
  readonly to: string;
  /** Limit in chunks per second over all slices; undefined for none. */
  readonly chunksPerSecond?: number | undefined;
  /** Receives the number of chunks copied so far. */
  readonly onProgress: (done: number) => void;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Lets OpenSearch copy the chunks of one index into another by itself. Continues a copy between the two that a killed
 * command left running. Chunks that the target already has are not touched. Aborting the signal cancels the copy.
 * @throws DomainError `store_unavailable`, also where the security plugin refuses a part of it; the signal's reason; Error
 *   with OpenSearch's own message.
 */
export async function reindex(opensearch: OpenSearch, options: Options): Promise<void> {
  const { from, to, chunksPerSecond, say, signal } = options;
  const [running] = (await reindexTasks(opensearch, from, to)).filter((task) => !task.isPart);
  const requests_per_second = chunksPerSecond ?? -1;
  if (running !== undefined) {
    say(`OpenSearch is already copying, as task ${running.id}.`);
    await askOpenSearch(() => opensearch.reindexRethrottle({ task_id: running.id, requests_per_second }));
  }
  const taskId = running?.id ?? (await begin(opensearch, from, to, requests_per_second));
  if (running === undefined) say(`OpenSearch is copying ${from} to ${to}, as task ${taskId}.`);
  try {
    await watch(opensearch, taskId, options);
  } catch (error) {
    if (signal?.aborted === true) {
      await askOpenSearch(() => opensearch.tasks.cancel({ task_id: taskId }));
      signal.throwIfAborted();
    }
    throw error;
  }
}

async function begin(opensearch: OpenSearch, from: string, to: string, requests_per_second: number) {
  const { body } = await askOpenSearch(() =>
    opensearch.reindex({
      wait_for_completion: false,
      slices: "auto",
      requests_per_second,
      body: {
        conflicts: "proceed",
        source: { index: from, size: BATCH_CHUNKS },
        dest: { index: to, op_type: "create" },
        // An index of an earlier release has no routing that could be kept.
        script: { source: "ctx._routing = ctx._source.document_id" },
      },
    }),
  );
  return BegunTask.parse(body).task;
}

async function watch(opensearch: OpenSearch, taskId: string, options: Options): Promise<void> {
  for (;;) {
    options.signal?.throwIfAborted();
    const tasks = await reindexTasks(opensearch, options.from, options.to);
    if (tasks.length > 0) options.onProgress(tasks.reduce((sum, { done }) => sum + done, 0));
    const task = await readServerTask(opensearch, taskId);
    if (task.state === "ended" && task.fault !== undefined) throw faultOf(task.fault);
    // The comparison that follows finds chunks that a lost task has left out.
    if (task.state !== "running") return;
    await sleep(POLL_MS, undefined, { ...(options.signal !== undefined && { signal: options.signal }) });
  }
}

/** The security plugin may refuse the requests of a task although it accepted the task itself. */
function faultOf(fault: string): Error {
  const refusal = securityRefusal(fault);
  if (refusal !== undefined) return new DomainError("store_unavailable", refusal);
  return new Error(`OpenSearch could not copy all chunks: ${fault}`);
}

type ReindexTask = {
  readonly id: string;
  /** Whether it is a slice of another task, which counts only its finished slices: the sum counts every chunk once. */
  readonly isPart: boolean;
  readonly done: number;
};

async function reindexTasks(opensearch: OpenSearch, from: string, to: string): Promise<ReindexTask[]> {
  const { body } = await askOpenSearch(() =>
    opensearch.tasks.list({ actions: ["*reindex"], detailed: true, group_by: "none" }),
  );
  return (
    Tasks.parse(body)
      // The description names the script between the two.
      .tasks.filter(
        ({ description }) =>
          description.startsWith(`reindex from [${from}] `) && description.endsWith(` to [${to}]`),
      )
      .map(({ node, id, parent_task_id, status }) => ({
        id: `${node}:${id}`,
        isPart: parent_task_id !== undefined,
        done: status.created + status.updated + status.version_conflicts,
      }))
  );
}

const Tasks = z.looseObject({
  tasks: z.array(
    z.looseObject({
      node: z.string(),
      id: z.int(),
      description: z.string(),
      parent_task_id: z.string().optional(),
      status: z.looseObject({
        created: z.int(),
        updated: z.int(),
        version_conflicts: z.int(),
      }),
    }),
  ),
});
