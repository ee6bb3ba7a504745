import { type Job, PgBoss } from "pg-boss";
import { HandedBack } from "../domain-error.ts";
import type { Logger } from "../logger.ts";
import { currentTrace, parseTraceparent, QUIET_TRACING, type Tracing, toTraceparent } from "../tracing.ts";
import { prepared, type Queryable, rethrowUnavailable } from "./database.ts";
import { createSchema } from "./migrate.ts";

/** The queue's tables have their own schema, which pg-boss migrates. */
const QUEUE_SCHEMA = "similarity_jobs";

/** Enough for fetching, heartbeats and supervision; enqueueing uses the caller's transaction. */
const CONNECTIONS_MAX = 5;

/** A killed worker shows by its missing heartbeat; 10 s is pg-boss's minimum. Interrupted work resumes within about 15 s. */
const HEARTBEAT_SECONDS = 10;
const SUPERVISE_INTERVAL_SECONDS = 2;

/** Notifications announce work. Polling finds retries, and work whose notification was lost. */
const POLLING_INTERVAL_SECONDS = 2;

/** Jobs are repeated until they are done. Only the handler decides that its work has failed for good. */
const RETRY_LIMIT = 1_000_000;

/** An outage of a store causes a few retries. A job that fails after these is logged as an error. */
const RETRIES_EXPECTED = 10;
const RETRY_DELAY_SECONDS = 1;

/** An interrupted job, or one after an outage of a store, waits 5 s at most. Retries are cheap: handlers first check their stores. */
const RETRY_DELAY_MAX_SECONDS = 5;

/** The longest that pg-boss lets a job run. Heartbeats find dead workers long before. */
const EXPIRE_SECONDS = 86_000;

/** Done jobs are removed at once. pg-boss removes the rest, once a day. */
const FINISHED_KEPT_SECONDS = 3_600;

/** pg-boss deletes jobs that have waited longer, without a word: 14 days by default, which a service may stand still. 30 years. */
const WAITING_KEPT_SECONDS = 30 * 365 * 86_400;

/** How often the times of jobs are compared with the clock. */
const CLOCK_CHECK_MS = 30_000;

export type QueueDefinition = {
  readonly name: string;
  /** The wait before the first retry; each further one is twice as long. 1 s by default. */
  readonly retryDelaySeconds?: number;
  /** The longest wait before a retry; 5 s by default. */
  readonly retryDelayMaxSeconds?: number;
};

/** Jobs of one queue over all processes. */
export type QueueBacklog = {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** 0 where nothing waits. */
  readonly oldestWaitingSeconds: number;
};

/** The id of scheduled jobs, which belong to no row. */
const SCHEDULED = "scheduled";

/** `traceparent` comes from the request or job that enqueued this one; scheduled jobs have no trace. */
type JobData = { readonly id: string; readonly traceparent?: string };

type OnAttempt = (queue: string, outcome: "done" | "handed_back" | "failed", seconds: number) => void;

type JobQueueOptions = {
  readonly queues: readonly QueueDefinition[];
  /** Whether this process runs jobs; one that only enqueues neither listens nor supervises. */
  readonly works: boolean;
  readonly log: Logger;
  readonly tracing?: Tracing;
  readonly onAttempt?: OnAttempt;
};

/** Runs a job. `signal` is aborted when the service stops or another worker has taken the job. */
export type JobHandler = (id: string, signal: AbortSignal) => Promise<void>;

/** Background jobs in PostgreSQL, each enqueued in the transaction that needs it: neither exists without the other. Run at least once. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #databaseUrl: string;
  readonly #options: JobQueueOptions;
  readonly #stopping = new AbortController();
  #started: Promise<void> = Promise.resolve();
  #clockChecks: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string, options: JobQueueOptions) {
    const { works, log } = options;
    this.#databaseUrl = databaseUrl;
    this.#options = options;
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      application_name: "similarity-check-jobs",
      schema: QUEUE_SCHEMA,
      createSchema: false,
      max: CONNECTIONS_MAX,
      supervise: works,
      schedule: works,
      useListenNotify: works,
      superviseIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
      monitorIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    });
    this.#boss.on("error", (error) => log.warn({ error: error.message }, "job queue error"));
    this.#boss.on("warning", (warning) => log.warn({ warning: warning.message }, "job queue warning"));
  }

  start(): Promise<void> {
    this.#started = this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    await createSchema(this.#databaseUrl, QUEUE_SCHEMA);
    await this.#boss.start().catch(rethrowUnavailable);
    for (const queue of this.#options.queues) {
      const options = queueOptions(queue);
      await this.#boss.createQueue(queue.name, options);
      // Another release may have created the queue with other options.
      await this.#boss.updateQueue(queue.name, options);
    }
    if (!this.#options.works) return;
    await this.#bringToPresent();
    this.#clockChecks = setInterval(() => this.#bringToPresent(), CLOCK_CHECK_MS).unref();
  }

  /**
   * After a clock was set back, jobs would wait until it shows their times again, and those of a killed worker would seem to run: brings
   * times that lie further ahead than this service sets any to the present. Then looks after all queues, because the timer of pg-boss
   * waits for the clock, too.
   */
  async #bringToPresent(): Promise<void> {
    try {
      for (const statement of BRING_TO_PRESENT) await this.#boss.getDb().executeSql(statement);
      await this.#boss.supervise();
    } catch (error) {
      this.#options.log.warn({ err: error }, "times of jobs not compared with the clock");
    }
  }

  /**
   * Enqueues the job for the row `id`, as part of `transaction`. A queue has one job for a row: while it waits or runs,
   * enqueueing another does nothing and returns false. Jobs of a higher priority run first, and jobs of equal priority in the order of enqueueing.
   */
  async enqueue(queue: string, id: string, transaction: Queryable, priority = 0): Promise<boolean> {
    const trace = currentTrace();
    const db = {
      executeSql: async (sql: string, values?: unknown[]) => ({
        rows: await transaction.query(prepared(sql), values),
      }),
    };
    const data: JobData = { id, ...(trace !== undefined && { traceparent: toTraceparent(trace) }) };
    const send = async () => (await this.#boss.send(queue, data, { id, priority, db })) !== null;
    if (await send()) return true;
    // An ended job of the row may be in the way: pg-boss keeps it until it is removed.
    await transaction.query(
      `delete from ${QUEUE_SCHEMA}.job where name = $1 and id = $2 and state in ('completed', 'cancelled', 'failed')`,
      [queue, id],
    );
    return send();
  }

  /** Counts the waiting jobs of some queues, up to `countMax` to keep it cheap. */
  async countWaiting(queues: readonly string[], countMax: number, db: Queryable): Promise<number> {
    const [row] = await db.query<{ waiting: number }>(
      prepared(`select count(*) as waiting from (
         select from ${QUEUE_SCHEMA}.job where name = any($1) and state in ('created', 'retry') limit $2) as counted`),
      [queues, countMax],
    );
    return row?.waiting ?? 0;
  }

  /** Runs the jobs of a queue, `concurrency` at a time. A job whose handler throws is retried after a growing wait. */
  async work(queue: string, concurrency: number, handler: JobHandler): Promise<void> {
    const options = {
      pollingIntervalSeconds: POLLING_INTERVAL_SECONDS,
      notifyPollingIntervalSeconds: POLLING_INTERVAL_SECONDS,
    };
    for (let worker = 0; worker < concurrency; worker += 1) {
      const workerId: string = await this.#boss.work<JobData>(queue, options, async (jobs) => {
        try {
          for (const job of jobs) {
            const signal = AbortSignal.any([job.signal, this.#stopping.signal]);
            await this.#traceJob(queue, job, () => handler(job.data.id, signal));
          }
        } finally {
          // By itself pg-boss would wait for the next poll or notification, and jobs of a burst beside idle workers.
          this.#boss.notifyWorker(workerId);
        }
      });
    }
  }

  /** Schedules a job by a cron expression in UTC, in place of an earlier schedule. A missed job runs at the next start. */
  async schedule(queue: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, { id: SCHEDULED }, { tz: "UTC", missed: "once" });
  }

  async unschedule(queue: string): Promise<void> {
    await this.#boss.unschedule(queue);
  }

  /** Removes the jobs of some queues for some rows, as part of `transaction`. A running job stays: only its handler can clean up after it. */
  async forget(queues: readonly string[], ids: readonly string[], transaction: Queryable): Promise<void> {
    await transaction.query(
      `delete from ${QUEUE_SCHEMA}.job where name = any($1) and id = any($2) and state <> 'active'`,
      [queues, ids],
    );
  }

  /** The jobs of each queue at the moment. */
  async backlog(db: Queryable): Promise<QueueBacklog[]> {
    // After a failover the clocks of two servers may differ.
    const rows = await db.query<QueueBacklog>(
      `select name as queue, count(*) filter (where state <> 'active') as waiting, count(*) filter (where state = 'active') as running,
              greatest(0, extract(epoch from now() - min(created_on) filter (where state <> 'active'))) as "oldestWaitingSeconds"
         from ${QUEUE_SCHEMA}.job where state in ('created', 'retry', 'active') group by name`,
    );
    const idle = { waiting: 0, running: 0, oldestWaitingSeconds: 0 };
    return this.#options.queues.map(({ name: queue }) => {
      return rows.find((row) => row.queue === queue) ?? { queue, ...idle };
    });
  }

  /** Takes no new jobs and hands the running ones back; jobs can still be enqueued. */
  async stopWorking(): Promise<void> {
    this.#stopping.abort(new HandedBack("the service stops"));
    await Promise.all(this.#options.queues.map(({ name }) => this.#boss.offWork(name, { wait: false })));
  }

  /** Stops working, waits for running jobs up to `graceMs`, and closes the connections. */
  async stop(graceMs: number): Promise<void> {
    // A pending start would reopen the connections that are closed here.
    await this.#started.catch(() => undefined);
    clearInterval(this.#clockChecks);
    await this.stopWorking();
    await this.#boss.stop({ graceful: true, timeout: graceMs });
  }

  /** Runs a job as a part of the trace of the request or job that enqueued it. */
  #traceJob(queue: string, job: Job<JobData>, run: () => Promise<void>): Promise<void> {
    const { id, traceparent } = job.data;
    const attributes = { "messaging.destination.name": queue, "similarity.subject": id };
    const span = { name: `job ${queue}`, kind: "consumer", attributes } as const;
    const { tracing = QUIET_TRACING } = this.#options;
    return tracing.begin(span, parseTraceparent(traceparent), () => this.#runJob(queue, job, run));
  }

  async #runJob(queue: string, job: Job<JobData>, run: () => Promise<void>): Promise<void> {
    const { id } = job.data;
    const { log, onAttempt } = this.#options;
    const startedAt = performance.now();
    const ended = (outcome: Parameters<OnAttempt>[1]) =>
      onAttempt?.(queue, outcome, (performance.now() - startedAt) / 1000);
    try {
      await run();
      ended("done");
      await this.#removeDone(queue, job.id);
    } catch (error) {
      ended(error instanceof HandedBack ? "handed_back" : "failed");
      if (error instanceof HandedBack) log.info({ queue, id }, "job handed back");
      else {
        const level = job.retryCount < RETRIES_EXPECTED ? "warn" : "error";
        log[level]({ queue, id, retries: job.retryCount, err: error }, "job failed and will be retried");
      }
      throw error;
    }
  }

  /** The row of the job may be deleted, and then nothing of it may remain. pg-boss treats a removed job as done. */
  async #removeDone(queue: string, jobId: string): Promise<void> {
    await this.#boss.deleteJob(queue, jobId).catch((error: unknown) => {
      this.#options.log.debug({ queue, err: error }, "done job not removed yet");
    });
  }
}

function queueOptions({
  retryDelaySeconds = RETRY_DELAY_SECONDS,
  retryDelayMaxSeconds = RETRY_DELAY_MAX_SECONDS,
}: QueueDefinition) {
  return {
    notify: true,
    retryLimit: RETRY_LIMIT,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: FINISHED_KEPT_SECONDS,
    retentionSeconds: WAITING_KEPT_SECONDS,
  };
}

/** The times at which pg-boss did something last. Null is left as it is. */
const DONE_TIMES = {
  queue: ["monitor_claim_on", "monitor_on", "maintain_on"],
  version: ["cron_on", "bam_on", "flow_on", "reindex_on"],
} as const;

/**
 * New jobs start at once, repeated ones after the longest wait of their queue, and what was done is of the past. Jobs of an earlier release
 * get the time for which they are kept.
 */
const BRING_TO_PRESENT: readonly string[] = [
  `update ${QUEUE_SCHEMA}.job set start_after = now()
    where state = 'created' and start_after > now() + interval '1 second'
       or state = 'retry' and start_after > now() + (coalesce(retry_delay_max, retry_delay) + 1) * interval '1 second'`,
  `update ${QUEUE_SCHEMA}.job set heartbeat_on = now() where state = 'active' and heartbeat_on > now() + interval '1 second'`,
  `update ${QUEUE_SCHEMA}.job set keep_until = now() + interval '${WAITING_KEPT_SECONDS} seconds'
    where state in ('created', 'retry') and keep_until < now() + interval '${WAITING_KEPT_SECONDS / 2} seconds'`,
  ...Object.entries(DONE_TIMES).flatMap(([table, columns]) =>
    columns.map(
      (column) =>
        `update ${QUEUE_SCHEMA}.${table} set ${column} = now() where ${column} > now() + interval '1 second'`,
    ),
  ),
];
