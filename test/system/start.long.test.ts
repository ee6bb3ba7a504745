import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

describe("decisions, Running it: npm start on given stores", () => {
  let environment: Readonly<Record<string, string>>;
  let service: ServiceProcess | undefined;

  before(async function () {
    this.timeout(600_000);
    environment = {
      ...(await freshSettings()),
      LOG_LEVEL: "warn",
    };
  });
  afterEach(async () => {
    await service?.end("SIGKILL");
    service = undefined;
  });

  async function start(changes: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    service = await ServiceProcess.start({ ...environment, ...changes });
    return service;
  }

  /** What a start that must fail printed, its exit code first. */
  async function failed(changes: Readonly<Record<string, string>>): Promise<string> {
    const outcome = await start(changes).catch((error: Error) => error.message);
    return typeof outcome === "string" ? outcome : expect.fail(`it serves:\n${outcome.output.join("\n")}`);
  }

  it("brings empty stores up to date, serves, and prints the addresses at the end", async () => {
    const { client, output } = await start();
    expect((await client.request("/ready")).status).to.equal(200);
    expect(client.base).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    const printed = output.join("\n");
    expect(printed).to.include(`${client.base}/docs`).and.to.include(`${client.base}/redoc`);
    expect(printed).to.include(`Open ${client.base}/ in a browser`);
    expect(printed).to.match(/Stop with Ctrl-C/);
    expect((await client.checked(prose(1, 40))).coverage).to.equal("full");
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`stops at ${signal === "SIGINT" ? "Ctrl-C" : "a SIGTERM"}: it says so, answers no more, and ends with 0`, async () => {
      const running = await start();
      expect((await running.client.request("/health")).status).to.equal(200);
      expect(await running.end(signal)).to.equal(0);
      expect(running.output.join("\n")).to.match(/^Stopping/m);
      const outcome = await running.client.request("/health").then(
        () => "answered",
        () => "refused",
      );
      expect(outcome).to.equal("refused");
    });
  }

  it("finds what it left: documents and checks of an earlier start are there at the next", async () => {
    const first = await start();
    const text = prose(2, 60);
    const document = await first.client.addDocument("kept.txt", text);
    const { check_id } = await first.client.checked(text);
    await first.end("SIGINT");
    const { client } = await start();
    const { sources, overall_similarity_pct } = await client.report(check_id);
    expect(overall_similarity_pct).to.equal(100);
    expect(sources.map((one) => one.source_document_id)).to.deep.equal([document.document_id]);
  });

  describe("without the encoder", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "similarity-start-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** A text of the corpus is found by its words; gives what the report says of its meaning. */
    async function meaningComparedBy({ client }: ServiceProcess, seed: number) {
      const text = prose(seed, 60);
      const document = await client.addDocument(`${seed}.txt`, text);
      const report = await client.checked(text);
      expect(report.sources.map((one) => one.source_document_id)).to.deep.equal([document.document_id]);
      expect(report.coverage).to.equal("full");
      expect(document.semantic_status).to.equal("pending");
      return [report.semantic_coverage, report.semantic_coverage_reason];
    }

    it("because there is no pip, it says so in one line, and all else works", async () => {
      const running = await start({ PATH: folder, DATA_DIR: folder });
      expect(await meaningComparedBy(running, 11)).to.deep.equal(["none", "unavailable"]);
      expect(await meaningComparedBy(running, 12)).to.deep.equal(["none", "unavailable"]);
      const lines = running.output.filter((line) => line.includes("not encoded"));
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include("no pip was found");
    }).timeout(600_000);

    it("because it is still being downloaded, checks wait for seconds only, and a stop does not wait for it", async () => {
      const pip = join(folder, "pip3");
      await writeFile(pip, '#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec /bin/sleep 60\n', {
        mode: 0o755,
      });
      const running = await start({ PATH: folder, DATA_DIR: folder });
      expect(await meaningComparedBy(running, 13)).to.deep.equal(["none", "unavailable"]);
      const stopped = performance.now();
      expect(await running.end("SIGTERM")).to.equal(0);
      // Less than the download would take.
      expect(performance.now() - stopped).to.be.below(45_000);
    }).timeout(600_000);

    it("because of SEMANTIC=off, it says nothing of it, and all else works", async () => {
      const running = await start({ SEMANTIC: "off" });
      expect(await meaningComparedBy(running, 14)).to.deep.equal(["none", "off"]);
      expect(running.output.filter((line) => line.includes("encode"))).to.deep.equal([]);
    });
  });

  it("ROLES=statistics serves the statistics API alone", async () => {
    const { statisticsAddress, output, client } = await start({ ROLES: "statistics" });
    expect(statisticsAddress).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(client.base, "no engine").to.equal("");
    expect((await fetch(`${statisticsAddress}/ready`)).status).to.equal(200);
    expect(await (await fetch(`${statisticsAddress}/v1/`)).json()).to.have.keys("meta", "data");
    expect(output.join("\n")).to.include(`${statisticsAddress}/docs`);
  });

  it("ROLES=worker works off what an engine took, without a listener of its own", async () => {
    const engine = await start({ ROLES: "engine" });
    const checkId = await engine.client.submit(prose(3, 50));
    const worker = await ServiceProcess.start({ ...environment, ROLES: "worker" });
    try {
      expect(worker.output.join("\n")).not.to.match(/https?:\/\//);
      expect((await engine.client.ended(checkId)).status).to.equal("complete");
    } finally {
      expect(await worker.end("SIGTERM")).to.equal(0);
    }
  });

  describe("a wrong value stops the start with a message that names it", () => {
    it("when its form is wrong: all such settings together, and nothing else is printed", async () => {
      const message = await failed({ ENGINE_PORT: "http", ROLES: "engine,queen", SAMPLE_CORPUS: "maybe" });
      expect(message).to.match(/^ended with 1 /);
      for (const name of ["ENGINE_PORT", "ROLES", "SAMPLE_CORPUS"]) expect(message).to.include(`${name}: `);
      expect(message).not.to.match(/^\s+at /m);
    });

    it("when DATA_DIR can't be a folder, and when OPENSEARCH_HEAP is too small to start with", async () => {
      const ownStores = { DATABASE_URL: "", OPENSEARCH_URL: "" };
      for (const [name, value] of [
        ["DATA_DIR", "/dev/null/below"],
        ["OPENSEARCH_HEAP", "128m"],
      ] as const) {
        const message = await failed({ ...ownStores, DATA_DIR: "/dev/null/none", [name]: value });
        expect(message)
          .to.match(/^ended with 1 /)
          .and.to.include(name);
        expect(message).not.to.match(/^\s+at /m);
      }
    });

    it("when no server answers at the URL of a store", async () => {
      for (const [name, url] of [
        ["DATABASE_URL", "postgres://127.0.0.1:1/none"],
        ["OPENSEARCH_URL", "http://127.0.0.1:1"],
      ] as const) {
        const message = await failed({ [name]: url });
        expect(message)
          .to.match(/^ended with 1 /)
          .and.to.include(name);
        expect(message).not.to.match(/^\s+at /m);
      }
    }).timeout(600_000);

    it("when a server takes connections at the URL of PostgreSQL and answers none, in a sentence", async () => {
      const silent = createServer(() => undefined).listen(0, "127.0.0.1");
      try {
        await once(silent, "listening");
        const message = await failed({ DATABASE_URL: `postgres://me@127.0.0.1:${portOf(silent)}/none` });
        expect(message)
          .to.match(/^ended with 1 /)
          .and.to.match(/PostgreSQL does not answer.*Check that the server runs/s);
        expect(message).not.to.match(/^\s+at /m);
      } finally {
        silent.close();
      }
    });

    it("before it starts the other store, when one store has a wrong address or password", async () => {
      const url = new URL(environment.DATABASE_URL ?? "");
      url.password = "wrong";
      for (const [changes, name] of [
        [{ DATABASE_URL: url.href, OPENSEARCH_URL: "" }, "DATABASE_URL"],
        [{ DATABASE_URL: "", OPENSEARCH_URL: "http://127.0.0.1:1" }, "OPENSEARCH_URL"],
      ] as const) {
        const message = await failed({ DATA_DIR: "/dev/null/none", ...changes });
        expect(message).to.include(name).and.not.to.include("DATA_DIR");
      }
    });

    it("when PostgreSQL has no such database or user", async () => {
      for (const [part, value] of [
        ["pathname", "/there_is_no_such_database"],
        ["username", "there_is_no_such_user"],
      ] as const) {
        const url = new URL(environment.DATABASE_URL ?? "");
        url[part] = value;
        const message = await failed({ DATABASE_URL: url.href });
        expect(message)
          .to.match(/^ended with 1 /)
          .and.to.include("DATABASE_URL");
        expect(message).not.to.match(/^\s+at /m);
      }
    });

    it("when OpenSearch does not know the user, and when the server is another one", async () => {
      for (const status of [401, 404]) {
        const other = createHttpServer((_, response) => response.writeHead(status).end()).listen(
          0,
          "127.0.0.1",
        );
        try {
          await once(other, "listening");
          const message = await failed({ OPENSEARCH_URL: `http://127.0.0.1:${portOf(other)}` });
          expect(message)
            .to.match(/^ended with 1 /)
            .and.to.include("OPENSEARCH_URL");
          expect(message).not.to.match(/^\s+at /m);
        } finally {
          other.close();
        }
      }
    });

    it("when the port is taken, and when HOST is no address of this machine", async () => {
      const taken = createServer().listen(0, "127.0.0.1");
      try {
        await once(taken, "listening");
        expect(await failed({ ENGINE_PORT: String(portOf(taken)) }))
          .to.match(/^ended with 1 /)
          .and.to.include("ENGINE_PORT");
      } finally {
        taken.close();
      }
      for (const host of ["192.0.2.1", "no such host"]) {
        const message = await failed({ HOST: host });
        expect(message, host)
          .to.match(/^ended with 1 /)
          .and.to.include("HOST");
        expect(message).not.to.match(/^\s+at /m);
      }
    });
  }).timeout(600_000);
}).timeout(600_000);

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
