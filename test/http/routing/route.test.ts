import { expect } from "chai";
import { z } from "zod";
import { queryInteger, uuidParameter } from "../../../src/http/input/wire-types.ts";
import { routerOf, routesFor } from "../../../src/http/routing/route.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { type Fixture, serve } from "../http-fixture.ts";

const ID = "01A1FDD2-FDD2-707B-BD4C-8AB108C3DEAF";

describe("a route", () => {
  const route = routesFor<{ readonly factor: number }>();
  const description = {
    operationId: "multiply",
    summary: "",
    description: "",
    tags: [],
    errors: [],
  } as const;
  const notFound = () => new DomainError("check_not_found", "There is no such check.");
  const operation = {
    ...description,
    method: "post",
    path: "/products/:id",
    request: {
      params: z.object({ id: uuidParameter("", ID, notFound) }),
      query: z.object({ by: queryInteger({ min: 1 }) }),
      headers: z.object({ "X-Unit": z.string().max(2).optional() }),
      body: { contentType: "application/json", schema: z.object({ value: z.number() }), examples: {} },
    },
    responses: { 202: { description: "", schema: z.object({ product: z.number(), of: z.string() }) } },
  } as const;
  let server: Fixture;

  before(async () => {
    const multiply = route(operation, ({ params, query, headers, body }, { factor }) => ({
      product: body.value * query.by * factor,
      of: `${params.id} ${headers["X-Unit"]}`,
    }));
    // @ts-expect-error: the answer lacks a member of the schema
    route(operation, () => ({ product: 1 }));
    server = await serve([routerOf([multiply], { factor: 2 })]);
  });
  after(() => server.stop());

  async function post(path: string, body = '{"value":5}', unit = "cm") {
    const headers = { "Content-Type": "application/json", "X-Unit": unit };
    const response = await fetch(`${server.address}${path}`, { method: "POST", headers, body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  it("hands over parsed values, and answers with the status of the operation", async () => {
    const { status, body } = await post(`/products/${ID}?by=3`);
    expect([status, body]).to.deep.equal([202, { product: 30, of: `${ID.toLowerCase()} cm` }]);
  });

  it("answers with the first fault: the path, the query, the headers, then the body", async () => {
    expect((await post("/products/none?by=0", "{", "long")).status).to.equal(404);
    expect((await post(`/products/${ID}?by=0`, "{", "long")).body.errors[0].field).to.equal("by");
    expect((await post(`/products/${ID}?by=1`, "{", "long")).body.errors[0].field).to.equal("X-Unit");
    expect((await post(`/products/${ID}?by=1`, "{")).status).to.equal(400);
  });
});
