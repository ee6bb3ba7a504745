import { readFileSync, statSync } from "node:fs";
import { errorMessage } from "../error-code.ts";

/** Credentials that can't be had at the moment: a file that is missing, or AWS's provider that does not answer. */
export class CredentialsUnavailable extends Error {
  override readonly name = "CredentialsUnavailable";
}

/**
 * Gives the text of a file, which is read again when the file has changed: tokens and certificates are renewed while the
 * service runs. @param check gives the text as it is used, and throws if it is invalid.
 */
export function renewedFile(file: string, setting: string, check: (text: string) => string): () => string {
  let read: { readonly state: string; readonly text: string } | undefined;
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(file);
      const state = `${mtimeMs} ${size} ${ino}`;
      if (read?.state !== state) read = { state, text: check(readFileSync(file, "utf8")) };
      return read.text;
    } catch (error) {
      const reason = errorMessage(error);
      throw new CredentialsUnavailable(`${setting}: ${file} can't be used (${reason}).`, { cause: error });
    }
  };
}

export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
};

/**
 * AWS's default chain: the environment, the shared files, a web identity, the role of the pod, the task or the machine. It renews
 * expiring credentials. The packages are only loaded when they are needed.
 */
export function awsCredentials(): () => Promise<AwsCredentials> {
  let provider: Promise<() => Promise<AwsCredentials>> | undefined;
  return async () => {
    provider ??= import("@aws-sdk/credential-provider-node").then(
      ({ defaultProvider }) => defaultProvider(),
      (error: unknown) => {
        const message = `OPENSEARCH_REGION needs the package @aws-sdk/credential-provider-node. Run: npm install --include=optional`;
        throw new CredentialsUnavailable(message, { cause: error });
      },
    );
    const credentials = await provider;
    return credentials().catch((error: unknown) => {
      const reason = errorMessage(error);
      const message = `There are no AWS credentials for OPENSEARCH_REGION (${reason}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine or pod a role.`;
      throw new CredentialsUnavailable(message, { cause: error });
    });
  };
}
