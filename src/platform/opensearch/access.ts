import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Config } from "../config.ts";
import { ConfigError } from "../domain-error.ts";
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
    | "opensearchUsername"
    | "opensearchPassword"
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

/** A token file, a region or a user. Two at once are refused, because one would have no effect and nobody would notice. */
function authentication(settings: NodeSettings): OpenSearchAccess {
  const { opensearchUsername: username, opensearchPassword: password } = settings;
  const { opensearchTokenFile: tokenFile, opensearchRegion: region } = settings;
  bothOrNeither(["OPENSEARCH_USERNAME", username], ["OPENSEARCH_PASSWORD", password]);
  const hasUser = (settings.opensearchNodes ?? []).some((node) => new URL(node).username !== "");
  const ways = [
    ...(tokenFile === undefined ? [] : ["OPENSEARCH_TOKEN_FILE"]),
    ...(region === undefined ? [] : ["OPENSEARCH_REGION"]),
    ...(username === undefined && !hasUser ? [] : ["a user (OPENSEARCH_USERNAME, or in OPENSEARCH_URL)"]),
  ];
  if (ways.length > 1) throw new ConfigError(`Set only one of these: ${ways.join("; ")}.`);
  if (region !== undefined) return { sigv4: { region, credentials: awsCredentials() } };
  if (tokenFile !== undefined)
    return { token: atStart(renewedFile(tokenFile, "OPENSEARCH_TOKEN_FILE", checkedToken)) };
  return username !== undefined && password !== undefined ? { username, password } : {};
}

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

/** Reads a file for the first time: an invalid file stops the start. */
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
