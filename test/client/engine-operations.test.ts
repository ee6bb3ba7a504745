import { expect } from "chai";
import { engineOperations } from "../../src/client/engine-operations.ts";
import { createTransport } from "../../src/client/transport.ts";
import { clientDocument } from "../../tools/client-types/client-types.ts";

/** A value with characters that a path must encode. */
const SEGMENT = "a/b c";

describe("the client's functions", () => {
  const { paths } = clientDocument();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  const functions = engineOperations(
    createTransport({
      baseUrl: "http://service",
      fetch: async (url, init) => {
        requests.push({ url, init });
        return new Response("{}");
      },
    }),
  );

  it("are the operations that the service has for programs", () => {
    const ids = described.map(({ operationId }) => operationId);
    expect(Object.keys(functions)).to.have.members(ids);
  });

  for (const { path, method, operationId, parameters, requestBody, responses } of described) {
    it(`${operationId} sends what the document describes`, async () => {
      const own = parameters.filter((one) => one.in === "path");
      const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
      const headers = parameters.filter((one) => one.in === "header").map(({ name }) => name);
      const types = Object.keys(requestBody?.content ?? {});
      const form = requestBody?.content["multipart/form-data"]?.schema.$ref ?? "";
      // Texts without a file are sent as JSON where that is accepted: a form changes their line ends.
      const type = /CompareFiles/.test(form) ? types.toSorted()[0] : types[0];
      const file = new File(["text"], "a.txt");
      const body = /SubmitBatch|AddMembers/.test(form)
        ? [[file], { group: "g" }]
        : /Upload/.test(form)
          ? [file, { title: "t" }]
          : [{ query_text: "t" }];
      const args = [
        ...own.map(() => SEGMENT),
        ...(type === undefined ? [] : body),
        ...(query.length === 0 ? [] : [Object.fromEntries(query.map((name) => [name, "1"]))]),
        { idempotencyKey: "key" },
      ];
      const answer = await Reflect.apply(Reflect.get(functions, operationId), functions, args);

      const { url, init } = requests.at(-1) ?? expect.fail("nothing was sent");
      const [sentPath, sentQuery = ""] = url.replace("http://service", "").split("?");
      expect(init.method).to.equal(method.toUpperCase());
      expect(sentPath).to.equal(path.replaceAll(/\{\w+\}/g, encodeURIComponent(SEGMENT)));
      expect([...new URLSearchParams(sentQuery).keys()]).to.have.members(query);
      expect(new Headers(init.headers).get("idempotency-key")).to.equal(headers.length > 0 ? "key" : null);
      if (type === "application/json") expect(init.body).to.equal('{"query_text":"t"}');
      else if (type === undefined) expect(init.body).to.equal(undefined);
      else expect(init.body).to.be.instanceOf(FormData);

      const answered = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
      if (answered.length === 0) expect(answer).to.equal(undefined);
      else if (answered.includes("application/json")) expect(answer).to.deep.equal({});
      else if (answered.every((one) => /^text\/(?!event-stream)/.test(one))) expect(answer).to.equal("{}");
      else expect(answer).to.be.instanceOf(Response);
    });
  }

  it("sends the sides of a comparison as a form where one of them is a file", async () => {
    const query_file = new File(["text"], "a.txt");
    await functions.makeComparisonLink({ query_file, source_text: "t" });
    expect(requests.at(-1)?.init.body).to.be.instanceOf(FormData);
    await functions.compareFilesAsPdf({ query_text: "t", source_file: query_file });
    expect(requests.at(-1)?.init.body).to.be.instanceOf(FormData);
  });
});
