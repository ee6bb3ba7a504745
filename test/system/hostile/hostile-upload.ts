/** What a service has to answer to an upload, as long as it takes no more than its limits. */
export type Answer =
  /** Taken; `text` is what the check then has, where it is known. */
  | { readonly status: 202; readonly text?: string }
  | { readonly status: 422; readonly code: "unreadable-file" | "no-extractable-text" | "text-too-long" }
  | { readonly status: 415; readonly code: "unsupported-file-type" };

/** A file that is made to do harm, made when it is asked for: some have 10 MiB. */
export type HostileUpload = {
  readonly name: string;
  readonly filename: string;
  make(): Buffer;
  /** Each of these is right: which one may depend on a reader that is not ours. */
  readonly answers: readonly Answer[];
  /** Keeps a process at work for seconds, up to its limit of time: left to the long tests. */
  readonly costly?: true;
};

/** The same uploads, all of them costly. */
export function costly(uploads: readonly HostileUpload[]): readonly HostileUpload[] {
  return uploads.map((upload) => ({ ...upload, costly: true }));
}

export const UNREADABLE = { status: 422, code: "unreadable-file" } as const;
export const NO_TEXT = { status: 422, code: "no-extractable-text" } as const;
export const TOO_LONG = { status: 422, code: "text-too-long" } as const;
export const NOT_TAKEN = { status: 415, code: "unsupported-file-type" } as const;
export const TAKEN = { status: 202 } as const;

/** What stands in files that can be read all the same. */
export const TEXT = "The text that is read all the same.";

/** Most of the 10 MiB that an upload may have. */
export const NEARLY_ALL_BYTES = 10_000_000;
