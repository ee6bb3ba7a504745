import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { ConfigError, DomainError } from "../../../src/platform/domain-error.ts";
import { importSavedObjects, readSavedObjects } from "../../../tools/dashboards/saved-objects.ts";
import { childEnvironment } from "../../support/processes/child-environment.ts";
import { DashboardsServer } from "./dashboards-server.ts";

const SCRIPT = new URL("../../../scripts/dashboards-import.ts", import.meta.url).pathname;

describe("the import into Dashboards", () => {
  let dashboards: DashboardsServer;
  let savedObjects: string;

  beforeEach(async () => {
    dashboards = await DashboardsServer.open();
    savedObjects = await readSavedObjects("similarity-");
  });
  afterEach(() => dashboards.close());

  it("brings all objects there, and a second import changes nothing", async () => {
    for (const _ of ["first", "second"]) {
      const outcome = await importSavedObjects(savedObjects, dashboards);
      expect(outcome).to.deep.include({ complete: true, refused: [] });
      expect(outcome.objects).to.include("dashboard: Similarity Check: corpus");
      const stored = [...dashboards.stored.values()].map(({ type, title }) => `${type}: ${title}`);
      expect(stored).to.have.members([...outcome.objects]);
    }
  });

  it("keeps the objects of two installations apart", async () => {
    await importSavedObjects(savedObjects, dashboards);
    const { objects } = await importSavedObjects(await readSavedObjects("other-"), dashboards);
    expect(dashboards.stored.size).to.equal(2 * objects.length);
    expect(dashboards.stored.get("index-pattern:other-chunks-read")?.title).to.equal("other-chunks-read");
  });

  it("finds Dashboards below a base path, with a slash at its end or without", async () => {
    const below = await DashboardsServer.open("/_dashboards");
    try {
      for (const url of [below.url, `${below.url}/`]) {
        expect(await importSavedObjects(savedObjects, { url })).to.include({ complete: true });
      }
      const message = await refusal({ url: below.url.replace("/_dashboards", "") });
      expect(message).to.include("base path").and.to.include("404");
    } finally {
      await below.close();
    }
  });

  it("logs in, and says when it is not let in", async () => {
    dashboards.credentials = { username: "ann", password: "p:ß" };
    const { url } = dashboards;
    expect(
      await importSavedObjects(savedObjects, { url, ...dashboards.credentials, tenant: "global" }),
    ).to.include({
      complete: true,
    });
    expect(dashboards.tenant).to.equal("global");
    for (const given of [{}, { username: "ann", password: "wrong!" }]) {
      const message = await refusal({ url, ...given });
      expect(message).to.include("--password").and.to.include("401");
      expect(message).not.to.include("wrong!");
    }
  });

  it("names each object that is refused, with the reason", async () => {
    const [chunksView = "", ...others] = savedObjects.trimEnd().split("\n");
    expect(chunksView).to.include("similarity-chunks-read");
    const withoutView = await importSavedObjects(others.join("\n"), dashboards);
    expect(withoutView.complete).to.equal(false);
    expect(withoutView.refused).to.deep.include({
      object: "search: Similarity Check: chunks of a document",
      reason: "missing_references: index-pattern similarity-chunks-read",
    });
    expect(dashboards.stored.size, "whatever Dashboards says of the others").to.equal(0);
    const odd = [
      { id: "1", type: "lens", attributes: { title: "Of another product" } },
      { id: "2", type: "dashboard", attributes: { title: "Newer", controlGroupInput: {} } },
    ];
    const lines = [chunksView, ...odd.map((one) => JSON.stringify(one))];
    const outcome = await importSavedObjects(lines.join("\n"), dashboards);
    expect(outcome.complete).to.equal(false);
    expect(outcome.refused).to.deep.equal([
      { object: "lens: Of another product", reason: "unsupported_type" },
      {
        object: "dashboard: Newer",
        reason:
          "mapping set to strict, dynamic introduction of [controlGroupInput] within [dashboard] is not allowed",
      },
    ]);
    expect([...dashboards.stored.keys()]).to.deep.equal(["index-pattern:similarity-chunks-read"]);
  });

  it("says what Dashboards has against the whole file", async () => {
    const [line = ""] = savedObjects.split("\n");
    const twice = await rejection(importSavedObjects(`${line}\n${line}\n`, dashboards));
    expect(twice).to.be.instanceOf(DomainError);
    expect(twice.message).to.match(/400.*Non-unique import objects/);
    const newer = await rejection(importSavedObjects(line.replace("7.6.0", "7.11.0"), dashboards));
    expect(newer.message).to.match(/422.*more recent version/);
  });

  it("says when Dashboards is not ready, and when none answers", async () => {
    dashboards.ready = false;
    const notReady = await rejection(importSavedObjects(savedObjects, dashboards));
    expect(notReady).to.be.instanceOf(DomainError).and.to.include({ code: "store_unavailable" });
    expect(notReady.message).to.include("not ready");
    const url = await closedAddress();
    const nowhere = await refusal({ url });
    expect(nowhere)
      .to.include(`answers at ${url} (`)
      .and.to.match(/ECONNREFUSED.*--url/);
  });

  it("tells another server from Dashboards", async () => {
    const answers = [
      () => new Response("<html>", { status: 200 }),
      () => new Response("", { status: 302, headers: { location: "/login" } }),
    ];
    for (const answer of answers) {
      const other = createServer((_, response) => {
        const { status, headers } = answer();
        response.writeHead(status, Object.fromEntries(headers)).end("<html>");
      });
      await once(other.listen(0, "127.0.0.1"), "listening");
      const address = other.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      try {
        expect(await refusal({ url: `http://127.0.0.1:${port}` })).to.match(/no OpenSearch Dashboards at/);
      } finally {
        other.closeAllConnections();
        other.close();
      }
    }
  });

  describe("as a command", () => {
    it("says what it imported, with the prefix and the user of the settings", async () => {
      dashboards.credentials = { username: "ann", password: "secret" };
      const settings = {
        OPENSEARCH_INDEX_PREFIX: "team-",
        OPENSEARCH_USERNAME: "ann",
        OPENSEARCH_PASSWORD: "secret",
      };
      const { status, output } = await run(["--url", dashboards.url], settings);
      expect(output).to.match(/^Imported \d+ objects into http/);
      expect(output)
        .to.include("dashboard: Similarity Check: corpus")
        .and.to.include("index-pattern: team-chunks-read");
      expect(status).to.equal(0);
    });

    it("ends with 1 and a message when it is refused or finds no server, with 2 when it is called wrongly", async () => {
      const ending = await run(["--url", await closedAddress()]);
      expect(ending.status).to.equal(1);
      expect(ending.errors)
        .to.match(/^No OpenSearch Dashboards answers/)
        .and.not.to.match(/^\s+at /m);
      dashboards.credentials = { username: "ann", password: "secret" };
      const refused = await run(["--url", dashboards.url, "--username", "ann", "--password", "x"]);
      expect(refused.status).to.equal(1);
      expect(refused.errors).to.include("401");
      for (const args of [
        ["--url", "localhost:5601"],
        ["--username", "ann"],
        ["--port", "1"],
      ]) {
        const wrong = await run(args);
        expect(wrong.status, args.join(" ")).to.equal(2);
        expect(wrong.errors).to.include("Usage: npm run dashboards:import");
      }
    });
  });

  function refusal(server: Parameters<typeof importSavedObjects>[1]): Promise<string> {
    return rejection(importSavedObjects(savedObjects, server)).then((error) => {
      expect(error).to.be.instanceOf(ConfigError);
      return error.message;
    });
  }
});

async function rejection(importing: Promise<unknown>): Promise<Error> {
  try {
    await importing;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.fail("it was let in");
}

async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = childEnvironment(settings);
  const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: child.exitCode, output, errors };
}

/** Of a server that is gone. */
async function closedAddress(): Promise<string> {
  const gone = await DashboardsServer.open();
  await gone.close();
  return gone.url;
}
