import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch, securityRefusal } from "../../platform/opensearch/opensearch.ts";
import { BegunTask, readServerTask } from "../../platform/opensearch/server-task.ts";

/** How often the task is asked how far it is. */
const POLL_MS = 500;

/** Chunks that OpenSearch reads and writes at a time: about 1.5 MB. With a throttle it pauses between them. */
const BATCH_CHUNKS = 1_000;

type Options = {
  readonly from: string;
  readonly to: string;
  /** Chunks a second, over all slices; undefined: as fast as it goes. */
  readonly chunksPerSecond?: number | undefined;
  readonly onProgress: (done: number, total: number) => void;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Has OpenSearch copy the chunks of one index into another by itself. A copy between the two that is under way already,
 * left by a command that was killed, is gone on with. Chunks that the target has stay as they are.
 *
 * When the signal is aborted, the copy is cancelled: whoever stops the command wants the load to end.
 * @throws DomainError `store_unavailable`, also where the security plugin refuses a part of it; the signal's reason; Error
 *   with what OpenSearch says went wrong.
 */
export async function reindex(opensearch: OpenSearch, options: Options): Promise<void> {
  const { from, to, chunksPerSecond, say, signal } = options;
  const [running] = (await reindexTasks(opensearch, from, to)).filter((task) => !task.isPart);
  const requests_per_second = chunksPerSecond ?? -1;
  if (running !== undefined) {
    say(`OpenSearch is at it already, as task ${running.id}.`);
    await askOpenSearch(() => opensearch.reindexRethrottle({ task_id: running.id, requests_per_second }));
  }
  const taskId = running?.id ?? (await begin(opensearch, from, to, requests_per_second));
  if (running === undefined) say(`OpenSearch copies ${from} to ${to}, as task ${taskId}.`);
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
        // An index of an earlier release has no routing to be kept.
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
    const sum = (of: (task: ReindexTask) => number) => tasks.reduce((total, task) => total + of(task), 0);
    if (tasks.length > 0)
      options.onProgress(
        sum(({ done }) => done),
        sum(({ total }) => total),
      );
    const task = await readServerTask(opensearch, taskId);
    if (task.state === "ended" && task.fault !== undefined) throw faultOf(task.fault);
    // What a lost one has left out is found by the comparison that follows.
    if (task.state !== "running") return;
    await sleep(POLL_MS, undefined, { ...(options.signal !== undefined && { signal: options.signal }) });
  }
}

/** The task was let in; what it does by itself may be refused all the same. */
function faultOf(fault: string): Error {
  const refusal = securityRefusal(fault);
  if (refusal !== undefined) return new DomainError("store_unavailable", refusal);
  return new Error(`OpenSearch has not copied all chunks: ${fault}`);
}

type ReindexTask = {
  readonly id: string;
  /** A slice of another one. That one counts only slices which have ended, so that all together count everything once. */
  readonly isPart: boolean;
  readonly done: number;
  readonly total: number;
};

async function reindexTasks(opensearch: OpenSearch, from: string, to: string): Promise<ReindexTask[]> {
  const { body } = await askOpenSearch(() =>
    opensearch.tasks.list({ actions: ["*reindex"], detailed: true, group_by: "none" }),
  );
  return (
    Tasks.parse(body)
      // Between the two it names the script.
      .tasks.filter(
        ({ description }) =>
          description.startsWith(`reindex from [${from}] `) && description.endsWith(` to [${to}]`),
      )
      .map(({ node, id, parent_task_id, status }) => ({
        id: `${node}:${id}`,
        isPart: parent_task_id !== undefined,
        done: status.created + status.updated + status.version_conflicts,
        total: status.total,
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
        total: z.int(),
        created: z.int(),
        updated: z.int(),
        version_conflicts: z.int(),
      }),
    }),
  ),
});
