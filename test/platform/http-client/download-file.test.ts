import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type DownloadOptions, downloadFile } from "../../../src/platform/http-client/download-file.ts";
import {
  type Question,
  type SourceReply,
  type SourceServer,
  withSource,
} from "../../support/servers/source-server.ts";

const CONTENT = "a,b\n".repeat(5_000);
const TAG = { etag: '"v1"' };

describe("downloading a file", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "download-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const access = {
    purpose: "test",
    contact: "ops@example.org",
    pauseMs: 0,
    signal: new AbortController().signal,
  };

  function fetchFile({ base }: SourceServer, options: DownloadOptions = {}) {
    return downloadFile(access, new URL(`${base}/file.csv`), join(folder, "file.csv"), options);
  }

  /** Answers requests for a range as a server that has the file, and tells its version by the tag. */
  function ranged({ headers }: Question): SourceReply {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1]);
    if (Number.isNaN(from) || headers["if-range"] !== TAG.etag) return { headers: TAG, body: CONTENT };
    return {
      status: 206,
      headers: { ...TAG, "content-range": `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` },
      body: CONTENT.slice(from),
    };
  }

  const stored = async (bytes: number) =>
    (await stat(join(folder, "file.csv.part")).catch(() => undefined))?.size === bytes;
  const content = () => readFile(join(folder, "file.csv"), "utf8");

  it("stores only the file, returns its version, and identifies the client", async () => {
    await withSource(ranged, async (server) => {
      const told: (readonly [number, number | undefined])[] = [];
      const result = await fetchFile(server, { onBytes: (done, total) => told.push([done, total]) });
      expect(result).to.deep.equal({ kind: "fetched", version: { etag: '"v1"', lastModified: null } });
      expect(await content()).to.equal(CONTENT);
      expect(await readdir(folder)).to.deep.equal(["file.csv"]);
      expect(told.at(-1)).to.deep.equal([CONTENT.length, CONTENT.length]);
      expect(server.questions[0]?.headers["user-agent"]).to.match(
        /^similarity-check\/\S+ \(test; ops@example\.org\)$/,
      );
    });
  });

  it("does not fetch a version that it has, by its tag or date", async () => {
    await writeFile(join(folder, "file.csv"), "kept");
    const date = "Fri, 20 Nov 2026 09:30:00 GMT";
    for (const [known, header] of [
      [{ etag: 'W/"v1"', lastModified: date }, "if-none-match"],
      [{ etag: null, lastModified: date }, "if-modified-since"],
    ] as const) {
      await withSource(
        () => ({ status: 304, body: "" }),
        async (server) => {
          expect(await fetchFile(server, { known })).to.deep.equal({ kind: "unchanged" });
          expect(server.questions[0]?.headers[header]).to.equal(known.etag ?? date);
          expect(await content()).to.equal("kept");
        },
      );
    }
  });

  it("continues where the connection broke", async () => {
    await withSource(
      (question, index) =>
        index === 0
          ? { headers: TAG, body: CONTENT, breaksAfter: 7_000, breaksWhen: () => stored(7_000) }
          : ranged(question),
      async (server) => {
        await fetchFile(server);
        expect(await content()).to.equal(CONTENT);
        expect(server.questions.map(({ headers }) => headers.range)).to.deep.equal([
          undefined,
          "bytes=7000-",
        ]);
      },
    );
  });

  it("continues the download of a killed process", async () => {
    await withSource(ranged, async (server) => {
      const about = { url: `${server.base}/file.csv`, etag: '"v1"', lastModified: null };
      await writeFile(join(folder, "file.csv.part"), CONTENT.slice(0, 1_234));
      await writeFile(join(folder, "file.csv.part.json"), JSON.stringify(about));
      await fetchFile(server);
      expect(await content()).to.equal(CONTENT);
      expect(server.questions[0]?.headers).to.include({ range: "bytes=1234-", "if-range": '"v1"' });
      expect(await readdir(folder)).to.deep.equal(["file.csv"]);
    });
  });

  it("starts again when the file has changed, or the server can't tell", async () => {
    for (const etag of ['"v0"', 'W/"v1"']) {
      await withSource(ranged, async (server) => {
        const about = { url: `${server.base}/file.csv`, etag, lastModified: null };
        await writeFile(join(folder, "file.csv.part"), "x".repeat(500));
        await writeFile(join(folder, "file.csv.part.json"), JSON.stringify(about));
        await fetchFile(server);
        expect(await content(), etag).to.equal(CONTENT);
      });
    }
  });

  it("starts again when the server refuses the range or sends another", async () => {
    const wrong: readonly SourceReply[] = [
      { status: 416, body: "" },
      { status: 206, headers: { "content-range": "bytes 0-9/20000" }, body: CONTENT.slice(0, 10) },
    ];
    for (const reply of wrong) {
      await withSource(
        (question, index) => (index === 0 ? reply : ranged(question)),
        async (server) => {
          const about = { url: `${server.base}/file.csv`, etag: '"v1"', lastModified: null };
          await writeFile(join(folder, "file.csv.part"), "x".repeat(500));
          await writeFile(join(folder, "file.csv.part.json"), JSON.stringify(about));
          await fetchFile(server);
          expect(await content()).to.equal(CONTENT);
        },
      );
    }
  });

  it("keeps the old file when the new one stays incomplete", async () => {
    await writeFile(join(folder, "file.csv"), "old");
    await withSource(
      () => ({ headers: { etag: 'W/"v2"' }, body: CONTENT, breaksAfter: 100 }),
      async (server) => {
        const reason = await fetchFile(server).catch((error: unknown) => String(error));
        expect(reason).to.match(/127\.0\.0\.1:\d+ could not be reached \(other side closed\)/);
        expect(server.questions).to.have.length(3);
        expect(await content()).to.equal("old");
      },
    );
  });

  it("rejects a web page and an empty file", async () => {
    for (const [reply, says] of [
      [
        { headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>Sign in</html>" },
        /a web page/,
      ],
      [{ body: "" }, /an empty file/],
    ] satisfies [SourceReply, RegExp][]) {
      await withSource(
        () => reply,
        async (server) => {
          expect(await fetchFile(server).catch((error: unknown) => String(error))).to.match(says);
          expect(await readdir(folder)).not.to.include("file.csv");
        },
      );
    }
  });
});
