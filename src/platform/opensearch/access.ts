import { createPrivateKey, X509Certificate } from "node:crypto";
import { type Config, ConfigError } from "../config.ts";
import { type AwsCredentials, awsCredentials, CredentialsUnavailable, renewedFile } from "./credentials.ts";
import type { ClientCertificate } from "./renewing-agent.ts";

/** The credentials of a client. `ca` is PEM text that replaces the authorities that Node.js trusts. */
export type OpenSearchAccess = {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
  /** The bearer token of the moment. @throws CredentialsUnavailable */
  readonly token?: () => string;
  /** Signs requests as AWS asks for. */
  readonly sigv4?: { readonly region: string; readonly credentials: () => Promise<AwsCredentials> };
  /** The client certificate of the moment. @throws CredentialsUnavailable */
  readonly clientCertificate?: () => ClientCertificate;
};

/** The settings that decide how OpenSearch is asked. */
export type AccessSettings = Partial<
  Pick<
    Config,
    | "opensearchAuth"
    | "opensearchUsername"
    | "opensearchPassword"
    | "opensearchToken"
    | "opensearchTokenFile"
    | "opensearchRegion"
    | "opensearchCa"
    | "opensearchClientCert"
    | "opensearchClientKey"
  >
>;

type NodeSettings = AccessSettings & { readonly opensearchNodes?: readonly string[] };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The settings as a client takes them, with the files read and checked. @throws ConfigError */
export function openSearchAccess(settings: NodeSettings): OpenSearchAccess {
  const { opensearchCa: caFile } = settings;
  return {
    ...authentication(settings),
    ...(caFile !== undefined && { ca: atStart(renewedFile(caFile, "OPENSEARCH_CA", checkedCertificates))() }),
    ...clientCertificate(settings),
  };
}

/** The way that OPENSEARCH_AUTH names. Settings of another way are refused: nobody would notice that they have no effect. */
function authentication(settings: NodeSettings): OpenSearchAccess {
  const { opensearchAuth: auth = "basic" } = settings;
  const { opensearchUsername: username, opensearchPassword: password } = settings;
  const { opensearchToken: token, opensearchTokenFile: tokenFile, opensearchRegion: region } = settings;
  bothOrNeither(["OPENSEARCH_USERNAME", username], ["OPENSEARCH_PASSWORD", password]);
  if (auth !== "bearer" && (token !== undefined || tokenFile !== undefined))
    throw new ConfigError(
      "OPENSEARCH_TOKEN or OPENSEARCH_TOKEN_FILE is set: set OPENSEARCH_AUTH=bearer too.",
    );
  if (auth === "basic") return username !== undefined && password !== undefined ? { username, password } : {};
  const hasUser = (settings.opensearchNodes ?? []).some((node) => new URL(node).username !== "");
  if (username !== undefined || hasUser) {
    throw new ConfigError(
      `OPENSEARCH_AUTH is ${auth}: remove OPENSEARCH_USERNAME, and the user in OPENSEARCH_URL, or set OPENSEARCH_AUTH=basic.`,
    );
  }
  if (auth === "sigv4") {
    if (region === undefined)
      throw new ConfigError(
        "OPENSEARCH_AUTH is sigv4: set OPENSEARCH_REGION (or AWS_REGION) to the domain's region.",
      );
    // Checked here only: AWS_REGION may be set for another program.
    if (!AWS_REGION.test(region))
      throw new ConfigError(
        `OPENSEARCH_AUTH is sigv4: OPENSEARCH_REGION (or AWS_REGION) must be a region such as eu-central-1, not ${JSON.stringify(region)}.`,
      );
    return { sigv4: { region, credentials: awsCredentials() } };
  }
  if ((token === undefined) === (tokenFile === undefined))
    throw new ConfigError("OPENSEARCH_AUTH is bearer: set either OPENSEARCH_TOKEN or OPENSEARCH_TOKEN_FILE.");
  if (token !== undefined) return { token: () => token };
  return { token: atStart(renewedFile(tokenFile ?? "", "OPENSEARCH_TOKEN_FILE", checkedToken)) };
}

const AWS_REGION = /^[a-z]+(-[a-z\d]+)+$/;

function clientCertificate(settings: NodeSettings): Pick<OpenSearchAccess, "clientCertificate"> {
  const { opensearchClientCert: certFile, opensearchClientKey: keyFile } = settings;
  bothOrNeither(["OPENSEARCH_CLIENT_CERT", certFile], ["OPENSEARCH_CLIENT_KEY", keyFile]);
  if (certFile === undefined || keyFile === undefined) return {};
  if (settings.opensearchNodes?.some((node) => new URL(node).protocol !== "https:") === true)
    throw new ConfigError(
      "OPENSEARCH_CLIENT_CERT is set: every node in OPENSEARCH_URL must begin with https://.",
    );
  const cert = atStart(renewedFile(certFile, "OPENSEARCH_CLIENT_CERT", checkedCertificates));
  const key = atStart(renewedFile(keyFile, "OPENSEARCH_CLIENT_KEY", checkedKey));
  if (!new X509Certificate(cert()).checkPrivateKey(createPrivateKey(key())))
    throw new ConfigError(
      "OPENSEARCH_CLIENT_KEY is not the key of the certificate in OPENSEARCH_CLIENT_CERT.",
    );
  return { clientCertificate: () => ({ cert: cert(), key: key() }) };
}

type NamedSetting = readonly [name: string, value: string | undefined];

function bothOrNeither(one: NamedSetting, other: NamedSetting): void {
  if ((one[1] === undefined) === (other[1] === undefined)) return;
  const [given, missing] = one[1] === undefined ? [other, one] : [one, other];
  throw new ConfigError(`${given[0]} is set and ${missing[0]} is not: set both or neither.`);
}

/** Reads a file for the first time: what is wrong with it stops the start. */
function atStart(read: () => string): () => string {
  try {
    read();
    return read;
  } catch (error) {
    if (error instanceof CredentialsUnavailable) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

function checkedToken(text: string): string {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Error("it must hold one token of ASCII letters, digits and signs");
  return token;
}

function checkedCertificates(text: string): string {
  const certificates = text.match(CERTIFICATE) ?? [];
  // TLS would skip an unreadable block and fail at the first connection with another reason.
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new Error("it is not a PEM file with a certificate");
  return text;
}

function checkedKey(text: string): string {
  try {
    createPrivateKey(text);
    return text;
  } catch (error) {
    throw new Error("it is not a PEM file with an unencrypted private key", { cause: error });
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
