import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { ConfigError } from "../domain-error.ts";
import type { Logger } from "../logger.ts";
import { askOpenSearch, type OpenSearch, rethrowRefused } from "./opensearch.ts";

/** The oldest supported OpenSearch; `npm run test:versions` tests it. */
const VERSION_MIN = [2, 19];

/** The Lucene of OpenSearch 2.19. With `compatibility.override_main_response_version` only this tells the real version. */
const LUCENE_MIN = [9, 12, 1];

/** Reported with that setting, which is for clients of Elasticsearch. */
const COMPATIBLE_NUMBER = "7.10.2";

const SERVERLESS_HOST = /\.aoss\.([a-z0-9-]+\.)?(amazonaws\.com(\.cn)?|on\.aws)$/;

const NEEDED = "Similarity Check needs OpenSearch 2.19 or newer.";

const NO_SERVERLESS =
  "OpenSearch Serverless is not supported: collections run OpenSearch 2.0 and offer only a part of its API. Use a managed domain or a cluster.";

const Main = z.looseObject({
  version: z.looseObject({
    number: z.string(),
    distribution: z.string().optional(),
    build_flavor: z.string().optional(),
    lucene_version: z.string().optional(),
  }),
});

/**
 * Asks for the product and its version. A user who may not ask gets a warning.
 * @throws ConfigError that names another product or an older version
 */
export async function requireSupportedVersion(
  client: OpenSearch,
  nodes: readonly string[],
  log: Pick<Logger, "warn">,
): Promise<void> {
  if (nodes.some((node) => SERVERLESS_HOST.test(new URL(node).hostname)))
    throw new ConfigError(NO_SERVERLESS);
  const answer = await askMain(client);
  if (answer === undefined) {
    log.warn("the OpenSearch user may not ask for the version (cluster:monitor/main), so it was not checked");
    return;
  }
  const fault = versionFault(answer);
  if (fault !== undefined) throw new ConfigError(fault);
}

/** Undefined if the user may not ask. */
async function askMain(client: OpenSearch): Promise<{ readonly body: unknown } | undefined> {
  try {
    const { body } = await askOpenSearch(() => client.info());
    return { body };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof errors.ResponseError && cause.statusCode === 403) return undefined;
    return rethrowRefused(error);
  }
}

/** Undefined for a supported version. */
function versionFault({ body }: { readonly body: unknown }): string | undefined {
  const { data } = Main.safeParse(body);
  if (data === undefined) return `The server at OPENSEARCH_URL does not say that it is OpenSearch. ${NEEDED}`;
  const { number, distribution, build_flavor, lucene_version = "" } = data.version;
  if (distribution === undefined) {
    const product = build_flavor === "serverless" ? "Elasticsearch Serverless" : `Elasticsearch ${number}`;
    return `There is ${product} at OPENSEARCH_URL, which is not supported. ${NEEDED}`;
  }
  if (distribution !== "opensearch")
    return `There is ${distribution} ${number} at OPENSEARCH_URL, which is not supported. ${NEEDED}`;
  const isNew =
    number === COMPATIBLE_NUMBER ? isAtLeast(lucene_version, LUCENE_MIN) : isAtLeast(number, VERSION_MIN);
  if (isNew) return undefined;
  const shown = number === COMPATIBLE_NUMBER ? `with Lucene ${lucene_version}` : number;
  return `There is OpenSearch ${shown} at OPENSEARCH_URL, which is not supported. ${NEEDED}`;
}

function isAtLeast(version: string, min: readonly number[]): boolean {
  const numbers = version.split(/[.-]/).map(Number);
  for (const [at, wanted] of min.entries()) {
    const number = numbers[at] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return true;
}
