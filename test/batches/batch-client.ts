import type { z } from "zod";
import {
  BatchGraphSchema,
  BatchReportSchema,
  BatchWithMembers,
  PairViewSchema,
  SubmittedBatch,
} from "../../src/batches/api/schema.ts";
import type { EngineClient } from "../support/client.ts";

export type WireBatch = z.output<typeof BatchWithMembers>;
export type WireBatchReport = z.output<typeof BatchReportSchema>;
export type WirePair = z.output<typeof PairViewSchema>;

/** What a client of batches does; each answer is held against the documented schema. */
export class BatchClient {
  readonly #client: () => EngineClient;

  /** @param client is asked for when it is used, as engines start in hooks. */
  constructor(client: () => EngineClient) {
    this.#client = client;
  }

  get engine(): EngineClient {
    return this.#client();
  }

  /** Submits texts and gives the identifier of their batch. */
  async submit(members: readonly object[], more: Record<string, unknown> = {}): Promise<string> {
    const response = await this.engine.json("POST", "/v1/batches", { members, ...more });
    if (response.status !== 202) throw new Error(`submit: ${response.status} ${await response.text()}`);
    return SubmittedBatch.parse(await response.json()).batch_id;
  }

  /** Submits files under their names. */
  submitFiles(
    files: Readonly<Record<string, string | Uint8Array>>,
    fields: Record<string, string> = {},
    path = "/v1/batches",
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    for (const [name, content] of Object.entries(files))
      form.append(
        "files",
        new Blob([typeof content === "string" ? content : Uint8Array.from(content)]),
        name,
      );
    return this.engine.request(path, { method: "POST", body: form });
  }

  async add(batchId: string, members: readonly object[]): Promise<void> {
    const response = await this.engine.json("POST", `/v1/batches/${batchId}/members`, { members });
    if (response.status !== 202) throw new Error(`add: ${response.status} ${await response.text()}`);
  }

  async batch(batchId: string): Promise<WireBatch> {
    return BatchWithMembers.parse(await (await this.engine.request(`/v1/batches/${batchId}`)).json());
  }

  /** Waits until a batch is complete. */
  async ended(batchId: string): Promise<WireBatch> {
    await (await this.engine.request(`/v1/batches/${batchId}/progress`)).text();
    return this.batch(batchId);
  }

  async report(batchId: string, query = ""): Promise<WireBatchReport> {
    const response = await this.engine.request(`/v1/batches/${batchId}/report${query}`);
    if (response.status !== 200) throw new Error(`report: ${response.status} ${await response.text()}`);
    return BatchReportSchema.parse(await response.json());
  }

  async graph(batchId: string, query = ""): Promise<z.output<typeof BatchGraphSchema>> {
    const response = await this.engine.request(`/v1/batches/${batchId}/graph${query}`);
    if (response.status !== 200) throw new Error(`graph: ${response.status} ${await response.text()}`);
    return BatchGraphSchema.parse(await response.json());
  }

  async pair(batchId: string, a: string, b: string, query = ""): Promise<WirePair> {
    const response = await this.engine.request(`/v1/batches/${batchId}/pairs/${a}/${b}${query}`);
    if (response.status !== 200) throw new Error(`pair: ${response.status} ${await response.text()}`);
    return PairViewSchema.parse(await response.json());
  }

  /** Submits texts, waits, and gives their batch and its report. */
  async compared(
    members: readonly object[],
    more: Record<string, unknown> = {},
  ): Promise<{ readonly batch: WireBatch; readonly report: WireBatchReport }> {
    const batch = await this.ended(await this.submit(members, more));
    return { batch, report: await this.report(batch.batch_id) };
  }
}

/** The pairs of a report by the names of their members, in the order of the names. */
export function pairNames({ pairs }: WireBatchReport): string[] {
  return pairs.map(({ a, b }) => [a.name, b.name].toSorted().join(" & ")).toSorted();
}
