import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { z } from "zod";

const FOLDER = new URL("../../../index-templates/", import.meta.url);

const Role = z.strictObject({
  description: z.string(),
  cluster_permissions: z.array(z.string()),
  index_permissions: z.array(
    z.strictObject({ index_patterns: z.array(z.string()), allowed_actions: z.array(z.string()) }),
  ),
});
const Template = z.looseObject({ index_patterns: z.array(z.string()), priority: z.number() });

describe("the role for the security plugin", () => {
  const role = Role.parse(readJson("security-role.json"));
  const actions = [
    ...role.cluster_permissions,
    ...role.index_permissions.flatMap(({ allowed_actions }) => allowed_actions),
  ];

  it("names only indices that begin with the prefix", () => {
    const patterns = role.index_permissions.flatMap(({ index_patterns }) => index_patterns);
    expect(patterns).not.to.deep.equal([]);
    for (const pattern of patterns) expect(pattern).to.match(/^similarity-[a-z*-]*$/);
  });

  it("covers the indices of every template", () => {
    const patterns = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => Template.safeParse(readJson(name)).data?.index_patterns ?? []);
    expect(patterns).to.have.length.above(2);
    for (const pattern of patterns) expect(pattern).to.match(/^similarity-/);
  });

  it("has no permission for everything, and a wildcard only for the parts of one action", () => {
    for (const action of actions) {
      expect(action).to.match(/^(cluster|indices):[a-z]+\/[a-z_/]+\*?$/);
    }
    expect(actions.filter((action) => action.endsWith("*"))).to.have.members(
      ["admin/refresh", "data/write/bulk", "data/read/tv", "data/read/mtv", "data/read/mget"].map(
        (action) => `indices:${action}*`,
      ),
    );
  });

  it("allows nothing that changes the cluster, other users or snapshots", () => {
    const forbidden = /settings\/update|reroute|snapshot|repository|opendistro|security|script|ingest|nodes/;
    expect(role.cluster_permissions.filter((action) => forbidden.test(action))).to.deep.equal([]);
  });
});

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
}
