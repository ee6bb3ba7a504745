import { connect } from "node:net";
import { expect } from "chai";
import { Submitted } from "../../../src/checks/api/schema.ts";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { engineOperations } from "../../../src/service/engine-api.ts";
import { rawExchange } from "../../http/http-fixture.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";

const BOUNDARY = "b0undary";
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

/** Too long to be read at once where it arrives: it takes its turn. */
/** Takes longer to read than to arrive. */
const LONG_TEXT = "An honest text. ".repeat(25_000);

describe("requests that are made to do harm", function () {
  this.timeout(120_000);
  const engine = useEngine({ uploadsWaitingMax: 1 });

  afterEach(async () => {
    expect((await engine.client.request("/health")).status, "/health").to.equal(200);
    const checkId = await engine.client.submit("An honest text.");
    expect((await engine.client.ended(checkId)).status, "the next check").to.equal("complete");
  });

  function part(headers: string, content: string): string {
    return `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
  }

  /** Sends a form byte for byte; names of files and parts may hold anything. */
  function sendForm(form: string, path = "/v1/checks/upload", type = FORM): Promise<Response> {
    const body = Buffer.from(form);
    return engine.client.request(path, { method: "POST", headers: { "Content-Type": type }, body });
  }

  function formOf(...parts: readonly string[]): string {
    return `${parts.join("")}--${BOUNDARY}--\r\n`;
  }

  const file = (name: string, content = "An honest text.") =>
    part(`Content-Disposition: form-data; name="file"; filename="${name}"`, content);

  describe("JSON", () => {
    const submit = (body: string) => engine.client.json("POST", "/v1/checks", body);

    it("that nests a million deep, or holds a million values, is 422", async () => {
      const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
      for (const value of [
        deep,
        `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
        `[${"0,".repeat(1_000_000)}0]`,
      ]) {
        await expectProblem(await submit(`{"query_text":"a","x":${value}}`), 422, "invalid-input", ["body"]);
      }
    });

    it("with numbers beyond all bounds is read, where they are not asked for", async () => {
      const huge = `${"9".repeat(1_000_000)}.${"9".repeat(100)}e${"9".repeat(100)}`;
      expect((await submit(`{"query_text":"a text","x":${huge},"y":-1e-999999}`)).status).to.equal(202);
      await expectProblem(await submit(`{"query_text":${huge}}`), 422, "invalid-input", ["query_text"]);
    });

    it("with a member twice counts the last, as JSON.parse does", async () => {
      const { check_id } = Submitted.parse(
        await (await submit('{"query_text":"first","query_text":"second"}')).json(),
      );
      await engine.client.ended(check_id);
      expect((await engine.client.report(check_id)).query_text).to.equal("second");
    });

    it("with __proto__ and constructor changes nothing but itself", async () => {
      const body =
        '{"query_text":"a text","__proto__":{"title":"stolen"},"constructor":{"prototype":{"title":"stolen"}}}';
      const { check_id } = Submitted.parse(await (await submit(body)).json());
      expect((await engine.client.check(check_id)).title).to.equal(null);
      await expectProblem(await submit('{"__proto__":{"query_text":"from below"}}'), 422, "invalid-input", [
        "query_text",
      ]);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
    });
  });

  describe("names of files", () => {
    const NAMES: readonly (readonly [sent: string, kept: RegExp])[] = [
      ["../../../etc/passwd", /^passwd$/],
      ["..\\\\..\\\\windows\\\\system32\\\\config.txt", /^config\.txt$/],
      ["C:\\\\Users\\\\me\\\\thesis.txt", /^thesis\.txt$/],
      ["..", /^upload$/],
      ["a\u0000b.txt", /^ab\.txt$/],
      ["report\u202efdp.txt", /^reportfdp\.txt$/],
      [`${"x".repeat(10_000)}.txt`, /^x{255}$/],
      ["<img src=x onerror=alert(1)>.txt", /^<img src=x onerror=alert\(1\)>\.txt$/],
      ["%2e%2e%2fpasswd", /^%2e%2e%2fpasswd$/],
      ["__proto__", /^__proto__$/],
    ];

    for (const [sent, kept] of NAMES) {
      it(`${JSON.stringify(sent.slice(0, 40))} stays a name`, async () => {
        const form = formOf(file(sent, `A text for ${sent.slice(0, 40)}.`));
        const response = await sendForm(form, "/v1/corpus/documents");
        // A form parser may take a NUL for the end of the name, or for no form at all.
        if (sent.includes("\0") && response.status === 400) return;
        expect(response.status).to.equal(201);
        expect(DocumentMetadata.parse(await response.json()).filename).to.match(kept);
      });
    }
  });

  describe("forms", () => {
    it("without a boundary, with one of 10,000 characters, or with one that is a pattern, are 400", async () => {
      for (const type of [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        `multipart/form-data; boundary=${"b".repeat(10_000)}`,
        "multipart/form-data; boundary=(.*)+$",
        'multipart/form-data; boundary="',
      ]) {
        const response = await sendForm(formOf(file("a.txt")), "/v1/checks/upload", type);
        await expectProblem(response, 400, "malformed-body");
      }
    });

    it("with a hundred thousand parts are 413", async () => {
      const parts = Array.from({ length: 100_000 }, () =>
        part('Content-Disposition: form-data; name="x"', ""),
      );
      await expectProblem(await sendForm(formOf(...parts, file("a.txt"))), 413, "body-too-large");
    });

    it("with a name of a megabyte, a head of a megabyte or ten thousand heads are refused", async () => {
      const long = "n".repeat(1_000_000);
      const heads = Array.from({ length: 10_000 }, (_, i) => `X-${i}: v`).join("\r\n");
      for (const head of [
        `Content-Disposition: form-data; name="${long}"`,
        `Content-Disposition: form-data; name="x"\r\nX-Long: ${long}`,
        `${heads}\r\nContent-Disposition: form-data; name="x"`,
      ]) {
        const response = await sendForm(formOf(part(head, "v"), file("a.txt")));
        expect(response.status).to.be.oneOf([202, 400, 413, 422]);
        if (response.status !== 202) expect(response.headers.get("content-type")).to.include("problem+json");
      }
    });

    it("with parts called __proto__ or constructor change nothing but themselves", async () => {
      const parts = [
        "__proto__",
        "constructor",
        "__proto__[title]",
        "constructor[prototype][title]",
        "toString",
      ].map((name) => part(`Content-Disposition: form-data; name="${name}"`, "stolen"));
      const response = await sendForm(formOf(...parts, file("a.txt")));
      expect(response.status).to.be.oneOf([202, 400]);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
    });

    it("in forms are files as they stand", async () => {
      const inner = formOf(file("inner.txt", "An inner text.")).replaceAll(BOUNDARY, "other");
      const head =
        'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: multipart/mixed; boundary=other';
      expect((await sendForm(formOf(part(head, inner)))).status).to.equal(202);
    });
  });

  it("a hundred uploads at once: as many as may wait are read, the others are 503 with Retry-After", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        engine.client.upload("/v1/checks/upload", {
          name: `${i}.txt`,
          content: `${LONG_TEXT} Number ${i}.`,
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).not.to.deep.equal([]);
    expect(answers.filter(({ status }) => status === 202)).to.have.length(100 - refused.length);
    for (const answer of refused) {
      await expectProblem(answer, 503, "service-busy");
      expect(answer.headers.get("retry-after")).to.match(/^[1-9]\d*$/);
    }
  });

  it("small texts are read at once, also while as many files wait as may", async () => {
    const [long, small] = [40, 20];
    const sent = Array.from({ length: long + small }, (_, i) => {
      const content = i < long ? `${LONG_TEXT} Number ${i}.` : `An honest text, number ${i}.`;
      return engine.client.upload("/v1/checks/upload", { name: `${i}.txt`, content });
    });
    const answers = await Promise.all(sent);
    expect(answers.slice(0, long).map(({ status }) => status)).to.include(503);
    expect(answers.slice(long).map(({ status }) => status)).to.deep.equal(Array(small).fill(202));
  });

  it("an upload whose client has gone is not waited for: the next in line is read", async () => {
    const { port } = new URL(engine.client.base);
    const body = Buffer.from(formOf(file("gone.txt", LONG_TEXT)));
    const head = `POST /v1/checks/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => {});
        await new Promise<void>((resolve) =>
          socket.write(Buffer.concat([Buffer.from(head), body]), () => resolve()),
        );
        socket.destroy();
      }),
    );
    let status = 503;
    while (status === 503) status = (await sendForm(formOf(file("a.txt", LONG_TEXT)))).status;
    expect(status).to.equal(202);
  });

  it("a body that is declared with any length over its limit is 413 at once, on every route that takes one", async () => {
    const { port } = new URL(engine.client.base);
    const bodies = engineOperations.flatMap(({ method, path, request }) => {
      const body = request?.body;
      if (body === undefined) return [];
      const types = [body, ...("also" in body && body.also !== undefined ? [body.also] : [])];
      return types.map(({ contentType }) => ({ method, path, contentType }));
    });
    expect(bodies.length).to.be.above(10);
    const unknown = "01a1fdd3-1c40-7711-9d2a-8f0a4c1be201";
    // The last two are 1 and -1 as 32-bit integers.
    for (const length of [999_999_999_999, 100_000_000_000, 2 ** 32 + 1, 2 ** 32 - 1]) {
      for (const { method, path, contentType } of bodies) {
        const type = contentType === "application/json" ? contentType : FORM;
        const head = `${method.toUpperCase()} ${path.replace(":passage", `34-159-${unknown}`).replaceAll(/:\w+/g, unknown)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
        const answer = await rawExchange(Number(port), head, "{");
        const about = `${method} ${path} ${contentType} ${length}`;
        expect(answer.match(/HTTP\/1\.1 \d+/g), about).to.deep.equal(["HTTP/1.1 413"]);
        expect(answer, about).to.match(/\r\nConnection: close\r\n/i);
      }
    }
  });

  it("HTTP in which two lengths disagree is refused, and nothing is taken for a second request", async () => {
    const { port } = new URL(engine.client.base);
    const hidden = "GET /v1/checks HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    for (const framing of [
      `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked`,
      "Content-Length: 0\r\nContent-Length: 5",
      "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding : chunked",
    ]) {
      const head = `POST /v1/checks HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
      const answer = await rawExchange(Number(port), head, hidden);
      expect(answer.match(/HTTP\/1\.1 \d+/g), framing).to.deep.equal(["HTTP/1.1 400"]);
    }
  });
});
