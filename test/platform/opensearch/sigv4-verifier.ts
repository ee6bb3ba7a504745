import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { answerWith, type Exchange, passOn } from "../../support/faults/fault-proxy.ts";

// AWS Signature Version 4 as AWS's "Create a signed AWS API request" describes it, written from that text: it shares nothing
// with the library that signs.

export type AwsKey = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

type Expected = {
  readonly region: string;
  readonly service: string;
  /** The keys that are valid at the moment. */
  readonly keys: readonly AwsKey[];
};

/** AWS takes a request for so long. */
const VALID_MS = 5 * 60_000;

/** Hands on what is signed as expected, and refuses everything else as AWS does. @param onRefusal is told why. */
export function requireSignature(expected: () => Expected, onRefusal: (reason: string) => void) {
  return async (exchange: Exchange): Promise<void> => {
    const fault = signatureFault(exchange, expected());
    if (fault === undefined) return passOn(exchange);
    onRefusal(fault);
    await answerWith(403, { message: `${fault}.\n\nThe Canonical String was …` })(exchange);
  };
}

/** Undefined for a request with the right signature. */
export function signatureFault(
  { asked, body }: Pick<Exchange, "asked" | "body">,
  { region, service, keys }: Expected,
  now = Date.now(),
): string | undefined {
  const header = (name: string) => String(asked.headers[name] ?? "");
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header("authorization"),
    );
  if (parsed === null) return "Missing Authentication Token";
  const [, accessKeyId = "", day = "", itsRegion, itsService, signedHeaders = "", signature = ""] = parsed;
  const key = keys.find((one) => one.accessKeyId === accessKeyId);
  if (key === undefined || header("x-amz-security-token") !== (key.sessionToken ?? ""))
    return "The security token included in the request is invalid";
  if (itsRegion !== region || itsService !== service)
    return `Credential should be scoped to a valid region and service, not ${itsRegion}/${itsService}`;
  const date = header("x-amz-date");
  const sentAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(now - sentAt) <= VALID_MS)) return "Signature expired";
  const names = signedHeaders.split(";");
  const required = [
    "host",
    "x-amz-date",
    ...(key.sessionToken === undefined ? [] : ["x-amz-security-token"]),
  ];
  if (required.some((name) => !names.includes(name))) return "A header that has to be signed is not";
  const payloadHash = sha256(body);
  if (header("x-amz-content-sha256") !== payloadHash) return "The body does not match its hash";

  const [path = "/", query = ""] = (asked.url ?? "/").split(/\?(.*)/s);
  const canonical = [
    asked.method,
    path.split("/").map(encode).join("/"),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${header(name).trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders,
    payloadHash,
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const signingKey = [day, region, service, "aws4_request"].reduce(
    (derived: string | Buffer, part) => createHmac("sha256", derived).update(part).digest(),
    `AWS4${key.secretAccessKey}`,
  );
  const right = createHmac("sha256", signingKey).update(toSign).digest();
  return timingSafeEqual(right, Buffer.from(signature, "hex"))
    ? undefined
    : "The request signature we calculated does not match the signature you provided";
}

/** All but unreserved characters, which encodes a path that is encoded already once more, as every service but S3 expects. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: string): string {
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s).map((part) => decodeURIComponent(part));
      return [encode(name), encode(value)] as const;
    });
  return pairs
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
