import { type Job, PgBoss } from "pg-boss";
import type { Logger } from "./logger.ts";
import type { Queryable } from "./postgres/database.ts";
import { makeSchema } from "./postgres/migrate.ts";
import {
  currentTrace,
  parseTraceparent,
  QUIET_TRACING,
  type Tracing,
  toTraceparent,
} from "./tracing/tracing.ts";

/** The queue's tables stand in a schema of their own, which pg-boss fills and migrates itself. */
const QUEUE_SCHEMA = "similarity_jobs";

/** Enough for fetching, heartbeats and supervision; enqueueing goes by the caller's own transaction. */
const CONNECTIONS_MAX = 5;

/**
 * A worker that was killed is noticed by its missing heartbeat: 10 s is the least that pg-boss takes. Together with
 * the supervision interval, interrupted work goes on within about 15 s.
 */
const HEARTBEAT_SECONDS = 10;
const SUPERVISE_INTERVAL_SECONDS = 2;

/** Work is found by notification; polling is the net beneath it, and what picks up retries. */
const POLLING_INTERVAL_SECONDS = 2;

/** Jobs are repeated until they are done: whether a check has failed for good is for the check itself to say. */
const RETRY_LIMIT = 1_000_000;

/** An outage of a store brings a few retries; a job that goes on failing after these is logged as an error. */
const RETRIES_EXPECTED = 10;
const RETRY_DELAY_SECONDS = 1;

/**
 * A job that was cut off several times waits as long as one that failed so often: with the heartbeat, the supervision and
 * a poll this is 19 s at most. A store that is back is met as soon. Those who wait for it ask little of anybody: a handler
 * looks first whether the stores that it needs are there, and few are at work at once.
 */
const RETRY_DELAY_MAX_SECONDS = 5;

/** The longest that pg-boss lets a job run; heartbeats tell the dead from the slow long before. */
const EXPIRE_SECONDS = 86_000;

/** A job goes when it is done. One that could not be removed then is left for pg-boss, which looks once a day. */
const FINISHED_KEPT_SECONDS = 3_600;

export type QueueDefinition = {
  readonly name: string;
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

/** What a job is about that comes at its time, and is about no row. */
const SCHEDULED = "scheduled";

/** `traceparent` tells which request or job has left this one behind; those that come at set times have none. */
type JobData = { readonly id: string; readonly traceparent?: string };

/** Told how each attempt at a job ended. */
export type OnAttempt = (queue: string, outcome: "done" | "handed_back" | "failed", seconds: number) => void;

export type JobQueueOptions = {
  readonly queues: readonly QueueDefinition[];
  /** Whether this process runs jobs; one that only enqueues neither listens nor supervises. */
  readonly works: boolean;
  readonly log: Logger;
  readonly tracing?: Tracing;
  readonly onAttempt?: OnAttempt;
};

/** What is done with a job. `signal` is aborted when the service stops or the job was taken away. */
export type JobHandler = (id: string, signal: AbortSignal) => Promise<void>;

/** Thrown by a handler that stopped because it was told to: the job goes back to the queue and nothing went wrong. */
export class HandedBack extends Error {
  override readonly name = "HandedBack";
}

/**
 * The background work, kept in PostgreSQL: a job is enqueued in the transaction that needs it, so neither exists
 * without the other, and is done at least once.
 */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #databaseUrl: string;
  readonly #queues: readonly QueueDefinition[];
  readonly #log: Logger;
  readonly #tracing: Tracing;
  readonly #onAttempt: OnAttempt;
  readonly #stopping = new AbortController();
  #started: Promise<void> = Promise.resolve();

  constructor(databaseUrl: string, { queues, works, log, tracing, onAttempt }: JobQueueOptions) {
    this.#databaseUrl = databaseUrl;
    this.#queues = queues;
    this.#log = log;
    this.#tracing = tracing ?? QUIET_TRACING;
    this.#onAttempt = onAttempt ?? (() => undefined);
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
    await makeSchema(this.#databaseUrl, QUEUE_SCHEMA);
    await this.#boss.start();
    for (const queue of this.#queues) {
      const options = queueOptions(queue);
      await this.#boss.createQueue(queue.name, options);
      // Another release may have created the queue with other options.
      await this.#boss.updateQueue(queue.name, options);
    }
  }

  /**
   * Enqueues the job about the row `id`, as part of `transaction`. A queue has one job for a row: while that waits or
   * runs, enqueueing another does nothing; one that has ended makes room.
   */
  async enqueue(queue: string, id: string, transaction: Queryable): Promise<void> {
    await transaction.query(
      `delete from ${QUEUE_SCHEMA}.job where name = $1 and id = $2 and state in ('completed', 'cancelled', 'failed')`,
      [queue, id],
    );
    const trace = currentTrace();
    const data: JobData = { id, ...(trace !== undefined && { traceparent: toTraceparent(trace) }) };
    await this.#boss.send(queue, data, { id, db: queueDatabase(transaction) });
  }

  /** Jobs of a queue that wait for a worker, whoever enqueued them; counted up to `countMax`, which keeps it cheap. */
  async countWaiting(queue: string, countMax: number, db: Queryable): Promise<number> {
    const [row] = await db.query<{ waiting: number }>(
      `select count(*) as waiting from (
         select from ${QUEUE_SCHEMA}.job where name = $1 and state in ('created', 'retry') limit $2) as counted`,
      [queue, countMax],
    );
    return row?.waiting ?? 0;
  }

  /** Does the jobs of a queue, `concurrency` at once. What a handler throws brings its job back after a growing wait. */
  async work(queue: string, concurrency: number, handler: JobHandler): Promise<void> {
    for (let worker = 0; worker < concurrency; worker += 1) await this.#startWorker(queue, handler);
  }

  /**
   * Makes a job come at the times of a cron expression, in UTC; one that falls into a time without any worker comes at the
   * next start. Scheduling a queue again replaces its times.
   */
  async schedule(queue: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, { id: SCHEDULED }, { tz: "UTC", missed: "once" });
  }

  /** Jobs come at no set times any more. */
  async unschedule(queue: string): Promise<void> {
    await this.#boss.unschedule(queue);
  }

  /**
   * A worker of its own, told after each job to look for the next: pg-boss lets one sleep until its next poll unless
   * a notification came while it was busy, so that jobs which came in a burst would wait behind idle workers.
   */
  async #startWorker(queue: string, handler: JobHandler): Promise<void> {
    const options = {
      pollingIntervalSeconds: POLLING_INTERVAL_SECONDS,
      notifyPollingIntervalSeconds: POLLING_INTERVAL_SECONDS,
    };
    const workerId: string = await this.#boss.work<JobData>(queue, options, async (jobs) => {
      try {
        for (const job of jobs) {
          const signal = AbortSignal.any([job.signal, this.#stopping.signal]);
          await this.#traceJob(queue, job, () => handler(job.data.id, signal));
        }
      } finally {
        this.#boss.notifyWorker(workerId);
      }
    });
  }

  /**
   * Removes the job about a row, as part of `transaction`. One that runs stays, so that it is done again if it is cut
   * off: only its handler knows what is to be cleaned up.
   */
  async forget(queue: string, id: string, transaction: Queryable): Promise<void> {
    await transaction.query(
      `delete from ${QUEUE_SCHEMA}.job where name = $1 and id = $2 and state <> 'active'`,
      [queue, id],
    );
  }

  /** The jobs of each queue at the moment. */
  async backlog(db: Queryable): Promise<QueueBacklog[]> {
    const rows = await db.query<BacklogRow>(
      `select name, count(*) filter (where state <> 'active') as waiting, count(*) filter (where state = 'active') as running,
              extract(epoch from now() - min(created_on) filter (where state <> 'active')) as oldest_seconds
         from ${QUEUE_SCHEMA}.job where state in ('created', 'retry', 'active') group by name`,
    );
    return this.#queues.map(({ name: queue }) => {
      const row = rows.find(({ name }) => name === queue);
      return {
        queue,
        waiting: row?.waiting ?? 0,
        running: row?.running ?? 0,
        // After a failover the clocks of two servers may differ.
        oldestWaitingSeconds: Math.max(0, row?.oldest_seconds ?? 0),
      };
    });
  }

  /** Takes no new job and tells the running ones to hand back; jobs can still be enqueued. */
  async stopWorking(): Promise<void> {
    this.#stopping.abort(new HandedBack("the service stops"));
    await Promise.all(this.#queues.map(({ name }) => this.#boss.offWork(name, { wait: false })));
  }

  /** Stops working, waits for what runs, and closes the connections. */
  async stop(graceMs: number): Promise<void> {
    // A start that is under way would open again what is closed here.
    await this.#started.catch(() => undefined);
    await this.stopWorking();
    await this.#boss.stop({ graceful: true, timeout: graceMs });
  }

  /** What a job does belongs to the trace of what has left it behind. */
  #traceJob(queue: string, job: Job<JobData>, run: () => Promise<void>): Promise<void> {
    const { id, traceparent } = job.data;
    const attributes = { "messaging.destination.name": queue, "similarity.subject": id };
    const span = { name: `job ${queue}`, kind: "consumer", attributes } as const;
    return this.#tracing.begin(span, parseTraceparent(traceparent), () => this.#runJob(queue, job, run));
  }

  async #runJob(queue: string, job: Job<JobData>, run: () => Promise<void>): Promise<void> {
    const { id } = job.data;
    const startedAt = performance.now();
    const ended = (outcome: Parameters<OnAttempt>[1]) =>
      this.#onAttempt(queue, outcome, (performance.now() - startedAt) / 1000);
    try {
      await run();
      ended("done");
      await this.#removeDone(queue, job.id);
    } catch (error) {
      ended(error instanceof HandedBack ? "handed_back" : "failed");
      if (error instanceof HandedBack) this.#log.info({ queue, id }, "job handed back");
      else {
        const level = job.retryCount < RETRIES_EXPECTED ? "warn" : "error";
        this.#log[level](
          { queue, id, retries: job.retryCount, err: error },
          "job failed and will be tried again",
        );
      }
      throw error;
    }
  }

  /**
   * What the job was about may be gone by now, and then nothing of it is to be left. pg-boss, which marks the job as done
   * next, takes one that is gone for done.
   */
  async #removeDone(queue: string, jobId: string): Promise<void> {
    await this.#boss.deleteJob(queue, jobId).catch((error: unknown) => {
      this.#log.debug({ queue, err: error }, "job done, and not removed yet");
    });
  }
}

function queueOptions({ retryDelayMaxSeconds = RETRY_DELAY_MAX_SECONDS }: QueueDefinition) {
  return {
    notify: true,
    retryLimit: RETRY_LIMIT,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: FINISHED_KEPT_SECONDS,
  };
}

function queueDatabase(transaction: Queryable) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({ rows: await transaction.query(text, values) }),
  };
}

type BacklogRow = {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  readonly oldest_seconds: number | null;
};
