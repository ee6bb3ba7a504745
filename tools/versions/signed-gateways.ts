import { readFileSync } from "node:fs";
import { type AwsKey, requireSignature } from "../../test/platform/opensearch/sigv4-verifier.ts";
import { FaultProxy } from "../../test/support/faults/fault-proxy.ts";
import { PASSWORD, type SecuredNode } from "./secured-node.ts";

const REGION = "eu-central-1";
const SECRET = "secret-of-the-gateways";

export type SignedGateways = {
  /** The settings by which the service connects, but for the key's name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly environmentOf: (command: string) => Readonly<Record<string, string>>;
  /** Why requests were refused. */
  readonly refusals: readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Opens a server before each node that recomputes the signature of each request and refuses a wrong one. As a managed domain
 * does, it hands on the request as the user whose key signed it, if the node knows users. @param keyOf the key of a command.
 */
export async function openSignedGateways(
  nodes: readonly string[],
  keyOf: (command: string) => string,
  { commands, secured }: { readonly commands: readonly string[]; readonly secured: SecuredNode | undefined },
): Promise<SignedGateways> {
  const refusals: string[] = [];
  const keys: AwsKey[] = commands.map((command) => ({
    accessKeyId: keyOf(command),
    secretAccessKey: SECRET,
  }));
  const ca = secured && readFileSync(secured.caFile, "utf8");
  const gateways = await Promise.all(
    nodes.map((node) =>
      FaultProxy.open(node, ({ headers }) => {
        if (ca === undefined) return {};
        const user = /Credential=([^/]+)/.exec(headers.authorization ?? "")?.[1];
        return { ca, authorization: `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString("base64")}` };
      }),
    ),
  );
  for (const gateway of gateways)
    gateway.set({
      on: /./,
      act: requireSignature(
        () => ({ region: REGION, service: "es", keys }),
        (reason) => refusals.push(reason),
      ),
    });
  return {
    environment: {
      OPENSEARCH_URL: gateways.map(({ url }) => url).join(","),
      OPENSEARCH_REGION: REGION,
      AWS_SECRET_ACCESS_KEY: SECRET,
    },
    environmentOf: (command) => ({ AWS_ACCESS_KEY_ID: keyOf(command) }),
    refusals,
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.close()));
    },
  };
}
