import type { z } from "zod";
import type { SentFile } from "../../http/input/upload-files.ts";
import {
  archivedFiles,
  archivedPaths,
  commonFolder,
  failed,
  fileTooLarge,
  folderOf,
  isArchive,
  MEMBER_BYTES_MAX,
  shownPath,
} from "../archive.ts";
import type { BatchSettings, NewMember } from "../batch.ts";
import type { SubmitBatchInput } from "../submit-batch.ts";
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

/** A batch as a form with files or as JSON with texts. */
export function sentBatch(
  body: z.output<typeof SubmitBatchForm> | z.output<typeof SubmitBatchBody>,
): Sent & Pick<SubmitBatchInput, "settings" | "templates"> {
  if ("files" in body) {
    const { templates = [], ...fields } = body;
    const { members, request } = sentFiles(body);
    return {
      members,
      request: [...request, ...contentOf("templates", templates)],
      settings: settingsOf({ ...fields, add_to_corpus: fields.add_to_corpus === "true" }),
      templates: templates.map(({ path, bytes }) => ({ filename: shownPath(path), bytes })),
    };
  }
  const templates = body.templates ?? [];
  const { members, request } = sentTexts(body.members);
  return {
    members,
    request: [...request, ...templates],
    settings: settingsOf(body),
    templates: templates.map((text) => ({ text })),
  };
}

/**
 * Members that are added to a batch, in either form.
 * @param readNames gives the names of members that are there
 */
export async function sentMembers(
  body: Form | z.output<typeof AddMembersBody>,
  readNames: () => Promise<readonly string[]>,
): Promise<Sent> {
  if ("members" in body) return sentTexts(body.members);
  return sentFiles(body, body.group_by_folder === "true" ? await readNames() : []);
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

function sentFiles(form: Form, namesThere: readonly string[] = []): Sent {
  const { files, group, group_by_folder } = form;
  const groupsOfFolders = async () => {
    const top = commonFolder([...namesThere, ...(await pathsOf(files))]);
    return (path: string) => {
      const folder = folderOf(path);
      return folder === top ? null : folder;
    };
  };
  return {
    async *members() {
      const groupOf = group_by_folder === "true" ? await groupsOfFolders() : () => null;
      const toMember = (path: string, content: NewMember["content"]): NewMember => ({
        name: path,
        group: groupOf(path) ?? group ?? null,
        content,
      });
      for (const { path, bytes } of files) {
        if (isArchive(path, bytes)) {
          for await (const file of archivedFiles(bytes)) yield toMember(file.path, file.content);
        } else if (bytes.byteLength > MEMBER_BYTES_MAX)
          yield toMember(shownPath(path), failed(fileTooLarge()));
        else yield toMember(shownPath(path), { bytes, isText: false });
      }
    },
    request: ["files", JSON.stringify({ group, group_by_folder }), ...contentOf("files", files)],
  };
}

function contentOf(part: string, files: readonly SentFile[]): (string | Uint8Array)[] {
  return files.flatMap(({ path, bytes }) => [part, path, bytes]);
}

/** The paths of all files, including files in archives. */
async function pathsOf(files: readonly SentFile[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, bytes } of files)
    for (const one of isArchive(path, bytes) ? await archivedPaths(bytes) : [shownPath(path)])
      paths.push(one);
  return paths;
}
