import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { CheckMetadata, Submitted } from "../../src/checks/api/schema.ts";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { Report } from "../../src/report/presented-report.ts";

export type WireCheck = z.output<typeof CheckMetadata>;
export type WireReport = z.output<typeof Report>;
export type WireDocument = z.output<typeof DocumentMetadata>;

/** What a client of the engine does; each answer is held against the documented schema. */
export class EngineClient {
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.base}${path}`, init);
  }

  /** Sends JSON; `body` as it is when it is a string, so that malformed bodies can be sent. */
  json(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.request(path, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  upload(
    path: string,
    file: { name: string; content: string | Uint8Array },
    fields: Record<string, string> = {},
  ) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const content = typeof file.content === "string" ? file.content : Uint8Array.from(file.content);
    form.set("file", new Blob([content]), file.name);
    return this.request(path, { method: "POST", body: form });
  }

  /** Submits a text and gives the check's identifier. */
  async submit(queryText: string, more: Record<string, unknown> = {}): Promise<string> {
    const response = await this.json("POST", "/v1/checks", { query_text: queryText, ...more });
    if (response.status !== 202) throw new Error(`submit: ${response.status} ${await response.text()}`);
    return Submitted.parse(await response.json()).check_id;
  }

  async check(checkId: string): Promise<WireCheck> {
    return CheckMetadata.parse(await (await this.request(`/v1/checks/${checkId}`)).json());
  }

  /** Waits until a check has ended and gives it. */
  async ended(checkId: string): Promise<WireCheck> {
    await (await this.request(`/v1/checks/${checkId}/progress`)).text();
    return this.check(checkId);
  }

  async report(checkId: string, query = ""): Promise<WireReport> {
    const response = await this.request(`/v1/checks/${checkId}/report${query}`);
    if (response.status !== 200) throw new Error(`report: ${response.status} ${await response.text()}`);
    return Report.parse(await response.json());
  }

  /** Submits a text, waits, and gives its report. */
  async checked(queryText: string, more: Record<string, unknown> = {}): Promise<WireReport> {
    const checkId = await this.submit(queryText, more);
    await this.ended(checkId);
    return this.report(checkId);
  }

  /** Submits a file, waits, and gives its report. */
  async checkedFile(name: string, content: string | Uint8Array): Promise<WireReport> {
    const response = await this.upload("/v1/checks/upload", { name, content });
    if (response.status !== 202) throw new Error(`submit: ${response.status} ${await response.text()}`);
    const { check_id } = Submitted.parse(await response.json());
    await this.ended(check_id);
    return this.report(check_id);
  }

  /** Uploads a document to the corpus and waits until it is matchable. */
  async addDocument(
    name: string,
    content: string | Uint8Array,
    fields: Record<string, string> = {},
  ): Promise<WireDocument> {
    const response = await this.upload("/v1/corpus/documents", { name, content }, fields);
    if (response.status > 201) throw new Error(`upload: ${response.status} ${await response.text()}`);
    const document = DocumentMetadata.parse(await response.json());
    return this.fingerprinted(document.document_id);
  }

  async fingerprinted(documentId: string): Promise<WireDocument> {
    for (;;) {
      const response = await this.request(`/v1/corpus/documents/${documentId}`);
      const document = DocumentMetadata.parse(await response.json());
      if (document.fingerprint_status === "fingerprinted") return document;
      await sleep(20);
    }
  }

  /** Waits until documents are matchable by meaning as well. */
  async encoded(documentIds: readonly string[]): Promise<void> {
    for (const documentId of documentIds) {
      for (;;) {
        const response = await this.request(`/v1/corpus/documents/${documentId}`);
        if (DocumentMetadata.parse(await response.json()).semantic_status === "encoded") break;
        await sleep(100);
      }
    }
  }
}
