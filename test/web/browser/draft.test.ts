import { expect } from "chai";
import {
  edited,
  emptyDraft,
  forgetDraft,
  keepDraft,
  readDraft,
} from "../../../src/web/browser/submit/draft.ts";

describe("the draft of a text", () => {
  it("is restored as it was kept, with its key", () => {
    const storage = storageOf();
    const draft = edited(emptyDraft(), { text: "A text\nwith 👍", title: "Mine", language: "de" });
    keepDraft(() => storage, draft);
    expect(readDraft(() => storage)).to.deep.equal(draft);
    forgetDraft(() => storage);
    expect(readDraft(() => storage).text).to.equal("");
  });

  it("gets a new key with each edit, so that another text is another check", () => {
    const draft = emptyDraft();
    const keys = [draft, edited(draft, { text: "a" }), edited(draft, { text: "a" })].map(({ key }) => key);
    expect(new Set(keys).size).to.equal(3);
  });

  it("is empty if nothing usable was kept", () => {
    for (const kept of ["", "{", "null", "3", '{"text":5}']) {
      const { text, title, language, key } = readDraft(() => storageOf(kept));
      expect([text, title, language]).to.deep.equal(["", "", ""]);
      expect(key).to.match(/^[0-9a-f]{32}$/);
    }
  });

  it("works with full or denied storage", () => {
    const full = {
      ...storageOf(),
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    const denied = () => {
      throw new DOMException("denied", "SecurityError");
    };
    for (const storage of [() => full, denied]) {
      expect(() => keepDraft(storage, emptyDraft())).not.to.throw();
      expect(() => forgetDraft(storage)).not.to.throw();
      expect(readDraft(storage).text).to.equal("");
    }
  });
});

function storageOf(content?: string) {
  let kept: string | null = content ?? null;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
    removeItem: () => {
      kept = null;
    },
  };
}
