import { parseArgs } from "node:util";
import type { Submission } from "../../src/core-api/submission.ts";
import { type SubmissionSelection, SubmissionStore } from "../../src/core-api/submission-store.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { visibleText } from "../../src/platform/terminal/terminal-text.ts";
import { deletingSubmissions } from "../../src/service/core-api.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run core-api:delete -- OPTION… [--yes] [--json]

Deletes submissions of plug-ins that speak the Turnitin Core API: those that meet all options, of which one at least is
needed. Moodle and OJS do not delete here what is deleted there. Texts, reports, links and documents of the corpus go with
them; with --owner, the accepted terms of use as well. Without --yes, nothing is deleted: the submissions are listed, which
shows a person what is kept about them.

  --owner ID           of this owner or submitter, as the plug-in names people
  --group ID           of this assignment
  --older-than DAYS    created more than so many days ago
  --key NAME           only of this key
  --yes                delete them
  --json               print JSON on the last line of standard output`;

type Request = {
  readonly selection: SubmissionSelection;
  readonly yes: boolean;
  readonly json: boolean;
};

const LISTED_MAX = 1_000;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await run(request);

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      owner: { type: "string" },
      group: { type: "string" },
      "older-than": { type: "string" },
      key: { type: "string" },
      yes: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { owner, group: groupId, key: keyName, "older-than": days, yes, json } = values;
  if (days !== undefined && !/^\d{1,5}$/.test(days))
    throw new UsageError("--older-than needs a number of days.");
  const createdBefore = days === undefined ? undefined : new Date(Date.now() - Number(days) * 86_400_000);
  const selection = { owner, groupId, keyName, createdBefore };
  if (Object.values(selection).every((value) => value === undefined))
    throw new UsageError("No option says which submissions to delete.");
  return { selection, yes, json };
}

function run({ selection, yes, json }: Request): Promise<void> {
  return runCorpusCommand(async (corpus, { signal }) => {
    const found = await new SubmissionStore().listSelected(corpus.database, selection, LISTED_MAX);
    const listed = found.map(lineOf);
    if (!yes) {
      const lines = [
        ...listed,
        `${found.length} submissions${found.length === LISTED_MAX ? " or more" : ""}`,
      ];
      printResult(lines, json ? { submissions: found.map(presentJson) } : undefined);
      return 0;
    }
    const deleting = deletingSubmissions(corpus);
    const deletedIds: string[] = [];
    const deleted = await deleting.selected(selection, signal, ({ submissionId }) =>
      deletedIds.push(submissionId),
    );
    const { owner, keyName } = selection;
    const acceptances = owner === undefined ? 0 : await deleting.acceptancesOf(owner, keyName);
    const lines = [`${deleted} submissions and ${acceptances} accepted terms are deleted.`];
    printResult(lines, json ? { deleted, acceptances, submissions: deletedIds } : undefined);
    return 0;
  });
}

function lineOf({ submissionId, keyName, createdAt, owner, groupId, title, documentId }: Submission): string {
  const facts = [createdAt.toISOString(), keyName, `owner ${owner ?? "-"}`, `group ${groupId ?? "-"}`];
  return [submissionId, ...facts, documentId === null ? "not indexed" : "indexed", visibleText(title)].join(
    "  ",
  );
}

function presentJson({
  submissionId,
  keyName,
  createdAt,
  owner,
  submitter,
  groupId,
  title,
  documentId,
}: Submission) {
  return {
    id: submissionId,
    key: keyName,
    created_time: createdAt.toISOString(),
    ...{ owner, submitter, group: groupId, title, is_indexed: documentId !== null },
  };
}
