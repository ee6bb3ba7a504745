import { expect } from "chai";
import fc from "fast-check";
import { coreApi } from "../../src/service/core-api.ts";
import { prose } from "../support/work/prose.ts";
import { useCoreApi } from "./use-core-api.ts";

const REQUESTS = 600;

/** The members that some request of the protocol has. */
const MEMBERS =
  `owner submitter title metadata owners id group group_context eula version language accepted_timestamp user_id indexing_settings
  add_to_index generation_settings search_repositories auto_exclude_self_matching_scope submission_auto_excludes priority view_settings
  exclude_quotes exclude_bibliography exclude_small_matches viewer_user_id locale viewer_default_permission_set viewer_permissions similarity
  save_changes is_indexed template signing_secret url description event_types allow_insecure`.split(/\s+/);

const value = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom("SIMILARITY_COMPLETE", "ALL", "latest", "v1", "http://127.0.0.1/"),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(true, null, -1, 1e308, 2 ** 53, [], {}, [[]], "", "\0", "9999-99-99"),
);
const body = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    value,
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("node"), { maxKeys: 6 }),
    fc.array(tie("node"), { maxLength: 3 }),
  ),
})).node;

describe("requests at random to the core api", function () {
  this.timeout(120_000);
  const api = useCoreApi();

  it("are answered as the protocol says, and never with an error of the service", async () => {
    const { submission_id: known } = await api.first.report(prose(300, 60));
    const operations = Object.entries(coreApi().paths ?? {}).flatMap(([path, item]) =>
      path.startsWith("/api/v1/")
        ? Object.keys(item).map((method) => ({ path, method: method.toUpperCase() }))
        : [],
    );
    const segment = fc.oneof(
      { weight: 3, arbitrary: fc.constant(known) },
      fc.constantFrom("latest", "v1", "%00", "%ff", "%2f", "00000000-0000-0000-0000-000000000000"),
      fc
        .string({ unit: "binary", maxLength: 12 })
        .map((text) => encodeURIComponent(text.toWellFormed()) || "x"),
    );
    const request = fc.record({
      operation: fc.constantFrom(...operations),
      segments: fc.tuple(segment, segment),
      body,
      type: fc.constantFrom("application/json", "application/json", "text/plain", "binary/octet-stream"),
    });
    const statuses = new Map<number, number>();
    for (const one of fc.sample(request, { seed: 53, numRuns: REQUESTS })) {
      const { method } = one.operation;
      let at = 0;
      const path = one.operation.path.replaceAll(/\{\w+\}/g, () => one.segments[at++ % 2] ?? "");
      const sent =
        method === "GET" ? {} : { body: JSON.stringify(one.body), headers: { "Content-Type": one.type } };
      const answer = await api.first.request(method, path, sent);
      const content = await answer.text();
      const told = `${method} ${path} ${JSON.stringify(one.body)}: ${answer.status} ${content}`;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status, told).to.be.lessThan(500);
      if (answer.status >= 400 && !path.endsWith("/view"))
        expect(JSON.parse(content), told)
          .to.include({ status: answer.status })
          .and.to.have.property("message");
    }
    // They reach the work behind the first look at a request.
    expect(statuses.get(201) ?? 0).to.be.greaterThan(5);
    expect(statuses.get(404) ?? 0).to.be.greaterThan(50);
  });
});
