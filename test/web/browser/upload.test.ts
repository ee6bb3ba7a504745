import { expect } from "chai";
import type { CorpusDocument } from "../../../src/client/index.ts";
import {
  acceptedState,
  findDocuments,
  type UploadState,
  uploadsSummary,
} from "../../../src/web/browser/corpus/upload.ts";

describe("uploads to the corpus", () => {
  it("are summed up in one sentence", () => {
    const states: UploadState[] = [
      acceptedState(documentOf(1, "fingerprinted"), true),
      acceptedState(documentOf(2, "pending"), true),
      { step: "failed", fault: "It is empty.", isTemporary: false },
    ];
    const uploads = states.map((state, id) => ({
      id,
      file: new File([], "a.txt"),
      language: "",
      collection: "",
      state,
    }));
    expect(uploadsSummary(uploads)).to.equal("1 of 3 files ready, 1 not added");
    expect(uploadsSummary(uploads.slice(0, 1))).to.equal("1 of 1 file ready");
  });

  it("are looked up page by page until all are found, or the list ends", async () => {
    const asked: number[] = [];
    const all = Array.from({ length: 250 }, (_, number) => documentOf(number, "fingerprinted"));
    const client = {
      listDocuments: async ({ limit = 0, offset = 0 } = {}) => {
        asked.push(offset);
        return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
      },
    };
    expect([...(await findDocuments(client, new Set(["5", "120"]))).keys()]).to.deep.equal(["5", "120"]);
    expect(asked).to.deep.equal([0, 100]);
    expect((await findDocuments(client, new Set(["gone"]))).size).to.equal(0);
    expect(asked).to.deep.equal([0, 100, 0, 100, 200]);
  });
});

function documentOf(number: number, status: CorpusDocument["fingerprint_status"]): CorpusDocument {
  return {
    document_id: String(number),
    filename: "a.txt",
    title: "a",
    media_type: "text/plain",
    language: "en",
    language_origin: "stated",
    source_url: null,
    size_bytes: 1,
    sha256: "",
    char_count: 1,
    word_count: 1,
    chunk_count: 1,
    fingerprint_status: status,
    semantic_status: "pending",
    created_at: "2026-11-21T12:00:00Z",
    fingerprinted_at: null,
  };
}
