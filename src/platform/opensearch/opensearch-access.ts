import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "../config.ts";

/** How a client gets in. `ca` is PEM text: it replaces the public authorities that Node.js trusts. */
export type OpenSearchAccess = {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
};

type AccessSettings = Partial<Pick<Config, "opensearchUsername" | "opensearchPassword" | "opensearchCa">>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The settings as a client takes them, with the certificate authority read from its file.
 * @throws ConfigError naming the setting: a user without a password or the reverse, a file that can't be read or
 * holds no certificate.
 */
export function openSearchAccess(settings: AccessSettings): OpenSearchAccess {
  const { opensearchUsername: username, opensearchPassword: password, opensearchCa: caFile } = settings;
  if ((username === undefined) !== (password === undefined)) {
    const [given, missing] =
      username === undefined ? ["PASSWORD", "USERNAME"] : (["USERNAME", "PASSWORD"] as const);
    throw new ConfigError(
      `OPENSEARCH_${given} is set and OPENSEARCH_${missing} is not: set both or neither.`,
    );
  }
  return {
    ...(username !== undefined && password !== undefined && { username, password }),
    ...(caFile !== undefined && { ca: readAuthority(caFile) }),
  };
}

function readAuthority(file: string): string {
  const text = readText(file);
  const certificates = text.match(CERTIFICATE) ?? [];
  // TLS itself would pass over a block that it can't read, and fail at the first connection with another reason.
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new ConfigError(`OPENSEARCH_CA: ${file} is not a PEM file with a certificate in it.`);
  }
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`OPENSEARCH_CA: the file can't be read (${reason}).`, { cause: error });
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
