import type { z } from "zod";
import type { SentFile } from "../../http/input/upload-files.ts";
import { commonFolder, folderOf, shownPath } from "../archive.ts";
import type { BatchSettings } from "../batch.ts";
import type { SubmitBatchInput } from "../submit-batch.ts";
import type { UnpackedFiles, WithUnpacked } from "../unpack-files.ts";
import type {
  AddMembersBody,
  AddMembersForm,
  MemberText,
  SubmitBatchBody,
  SubmitBatchForm,
} from "./schema.ts";

/** The content of a request, identified by `request`. */
type Sent = Pick<SubmitBatchInput, "members" | "request">;

type Form = z.output<typeof AddMembersForm>;

type SentBatch = Sent & Pick<SubmitBatchInput, "settings" | "templates">;

/** How the files of a request are read, and the connection that they came by. */
type Reading = { readonly withUnpacked: WithUnpacked; readonly signal: AbortSignal };

/** Calls `work` with a batch that was sent as a form with files or as JSON with texts. */
export function withSentBatch<T>(
  body: z.output<typeof SubmitBatchForm> | z.output<typeof SubmitBatchBody>,
  { withUnpacked, signal }: Reading,
  work: (batch: SentBatch) => Promise<T>,
): Promise<T> {
  if ("files" in body) {
    const { templates = [], ...fields } = body;
    return withUnpacked(body.files, signal, async (unpacked) => {
      const { members, request } = sentFiles(body, unpacked);
      return work({
        members,
        request: [...request, ...contentOf("templates", templates)],
        settings: settingsOf({ ...fields, add_to_corpus: fields.add_to_corpus === "true" }),
        templates: templates.map(({ path, bytes }) => ({ filename: shownPath(path), bytes })),
      });
    });
  }
  const templates = body.templates ?? [];
  const { members, request } = sentTexts(body.members);
  return work({
    members,
    request: [...request, ...templates],
    settings: settingsOf(body),
    templates: templates.map((text) => ({ text })),
  });
}

/**
 * Calls `work` with members that are added to a batch, in either form.
 * @param readNames gives the names of members that are there
 */
export function withSentMembers<T>(
  body: Form | z.output<typeof AddMembersBody>,
  { withUnpacked, signal }: Reading,
  readNames: () => Promise<readonly string[]>,
  work: (members: Sent) => Promise<T>,
): Promise<T> {
  if ("members" in body) return work(sentTexts(body.members));
  return withUnpacked(body.files, signal, async (unpacked) =>
    work(sentFiles(body, unpacked, body.group_by_folder === "true" ? await readNames() : [])),
  );
}

type SentSettings = {
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  readonly compare_with: BatchSettings["compareWith"];
  readonly add_to_corpus: boolean;
  readonly common_share: number;
};

function settingsOf(sent: SentSettings): BatchSettings {
  return {
    title: sent.title ?? null,
    language: sent.language ?? null,
    compareWith: sent.compare_with,
    addToCorpus: sent.add_to_corpus,
    commonShare: sent.common_share,
  };
}

function sentTexts(members: readonly z.output<typeof MemberText>[]): Sent {
  return {
    *members() {
      for (const [at, { text, name, group }] of members.entries())
        yield {
          name: name === undefined ? `text ${at + 1}` : shownPath(name),
          group: group ?? null,
          content: { bytes: Buffer.from(text), isText: true },
        };
    },
    request: ["texts", JSON.stringify(members)],
  };
}

function sentFiles(
  { files, group, group_by_folder }: Form,
  { paths, read }: UnpackedFiles,
  namesThere: readonly string[] = [],
): Sent {
  const top = group_by_folder === "true" ? commonFolder([...namesThere, ...paths]) : undefined;
  const groupOf = (path: string) => (top === undefined || folderOf(path) === top ? null : folderOf(path));
  return {
    async *members() {
      for await (const { path, content } of read())
        yield { name: path, group: groupOf(path) ?? group ?? null, content };
    },
    request: ["files", JSON.stringify({ group, group_by_folder }), ...contentOf("files", files)],
  };
}

function contentOf(part: string, files: readonly SentFile[]): (string | Uint8Array)[] {
  return files.flatMap(({ path, bytes }) => [part, path, bytes]);
}
