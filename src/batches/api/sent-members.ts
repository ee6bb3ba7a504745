import type { Context } from "koa";
import type { z } from "zod";
import { readJsonBody } from "../../http/input/json-body.ts";
import { parse } from "../../http/input/parse.ts";
import { readFiles, type SentFile } from "../../http/input/upload-files.ts";
import { withoutBlanks } from "../../http/input/wire-types.ts";
import {
  archivedFiles,
  archivedPaths,
  commonFolder,
  FILES_MAX,
  failed,
  fileTooLarge,
  folderOf,
  isArchive,
  MEMBER_BYTES_MAX,
  shownPath,
} from "../archive.ts";
import type { BatchSettings, NewMember } from "../batch.ts";
import type { SubmitBatchInput } from "../submit-batch.ts";
import { AddMembersBody, BatchFields, MemberFields, type MemberText, SubmitBatchBody } from "./schema.ts";

/** All files of a form: a class of 500 with 200 KB each. It is in memory while the request is read. */
const FORM_BYTES_MAX = 100 * 1024 * 1024;

/** What a request asks for: `request` identifies its content. */
type Sent = Pick<SubmitBatchInput, "members" | "request">;

/** A batch as a form with files or as JSON with texts. @throws as `readFiles` and `readJsonBody` */
export async function sentBatch(
  ctx: Context,
): Promise<Sent & Pick<SubmitBatchInput, "settings" | "templates">> {
  if (isForm(ctx)) {
    const form = await readFiles(ctx, {
      ...{ bytesMax: FORM_BYTES_MAX, filesMax: FILES_MAX, fileParts: ["files", "templates"] },
      fields: [
        "title",
        "language",
        "compare_with",
        "add_to_corpus",
        "common_share",
        "group",
        "group_by_folder",
      ],
    });
    const fields = parse(BatchFields, withoutBlanks(form.fields));
    const templates = form.files.filter(({ part }) => part === "templates");
    return {
      ...sentFiles(form.files, fields),
      settings: settingsOf({ ...fields, add_to_corpus: fields.add_to_corpus === "true" }),
      templates: templates.map(({ path, bytes }) => ({ filename: shownPath(path), bytes })),
    };
  }
  const body = parse(SubmitBatchBody, await readJsonBody(ctx));
  const templates = body.templates ?? [];
  const { members, request } = sentTexts(body.members);
  return {
    members,
    // A form has its templates among its files, which are in its `request`.
    request: [...request, ...templates],
    settings: settingsOf(body),
    templates: templates.map((text) => ({ text })),
  };
}

/**
 * Members that are added to a batch, in either form.
 * @param readNames gives the names of members that are there
 */
export async function sentMembers(ctx: Context, readNames: () => Promise<readonly string[]>): Promise<Sent> {
  if (!isForm(ctx)) return sentTexts(parse(AddMembersBody, await readJsonBody(ctx)).members);
  const form = await readFiles(ctx, {
    ...{ bytesMax: FORM_BYTES_MAX, filesMax: FILES_MAX, fileParts: ["files"] },
    fields: ["group", "group_by_folder"],
  });
  const fields = parse(MemberFields, withoutBlanks(form.fields));
  return sentFiles(form.files, fields, fields.group_by_folder === "true" ? await readNames() : []);
}

function isForm(ctx: Context): boolean {
  return ctx.request.type === "multipart/form-data";
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
  all: readonly SentFile[],
  fields: z.output<typeof MemberFields>,
  namesThere: readonly string[] = [],
): Sent {
  const files = all.filter(({ part }) => part === "files");
  const groupsOfFolders = async () => {
    const top = commonFolder([...namesThere, ...(await pathsOf(files))]);
    return (path: string) => {
      const folder = folderOf(path);
      return folder === top ? null : folder;
    };
  };
  return {
    async *members() {
      const groupOf = fields.group_by_folder === "true" ? await groupsOfFolders() : () => null;
      const toMember = (path: string, content: NewMember["content"]): NewMember => ({
        name: path,
        group: groupOf(path) ?? fields.group ?? null,
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
    request: [
      "files",
      JSON.stringify(fields),
      ...all.flatMap(({ part, path, bytes }) => [part, path, bytes]),
    ],
  };
}

/** The paths of all files, also those in archives. */
async function pathsOf(files: readonly SentFile[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, bytes } of files)
    for (const one of isArchive(path, bytes) ? await archivedPaths(bytes) : [shownPath(path)])
      paths.push(one);
  return paths;
}
