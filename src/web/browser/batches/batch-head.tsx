import { useRef, useState } from "preact/hooks";
import type { Batch } from "../../../client/index.ts";
import { DeleteDialog, Dialog } from "../shared/dialog.tsx";
import { Button, ProgressBar, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine, engineWithProgress, newKey } from "../shared/engine.ts";
import { TextField, Tick, TitleEditor, useFocusAfter } from "../shared/field.tsx";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice, Fault } from "../shared/notice.tsx";
import { languageName, say, sayCount, sayParts } from "../shared/texts.ts";
import { batchName } from "../shared/wording.ts";
import { filesFault } from "./batch-files.ts";
import { comparedInWords, isRunning } from "./batch-wording.ts";
import { FilesField } from "./files-field.tsx";

type BatchHeadProps = {
  readonly batch: Batch;
  readonly onRenamed: (batch: Batch) => void;
  /** Called when further members were accepted. */
  readonly onAdded: () => void;
};

/** Title, facts and actions of a batch. */
export function BatchHead({ batch, onRenamed, onAdded }: BatchHeadProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const [opened, setOpened] = useState<"add" | "delete">();
  const renameButton = useFocusAfter<HTMLButtonElement>(isRenaming);
  const { batch_id: id } = batch;
  const rename = async (title: string | null) => {
    onRenamed(await engine.renameBatch(id, { title }));
    announce(title === null ? say("checks.titleRemoved") : say("checks.renamed", { title }));
  };
  return (
    <header class="batch-head">
      {isRenaming ? (
        <TitleEditor title={batch.title ?? ""} onSave={rename} onClose={() => setIsRenaming(false)} />
      ) : (
        <h1 dir="auto">{batchName(batch)}</h1>
      )}
      <p class="quiet facts">
        {sayCount("count.texts", batch.members_total)} · {comparedInWords(batch)}
        {batch.language !== null && ` · ${languageName(batch.language)}`} ·{" "}
        {sayParts("batch.submitted", { date: <Timestamp at={batch.created_at} /> })}
        {batch.add_to_corpus && ` · ${say("batch.inCorpus")}`}
      </p>
      <div class="batch-actions">
        <SmallButton onClick={() => setOpened("add")}>{say("batch.addTexts")}</SmallButton>
        <SmallButton ref={renameButton} disabled={isRenaming} onClick={() => setIsRenaming(true)}>
          {say("common.rename")}
        </SmallButton>
        <SmallButton onClick={() => setOpened("delete")}>{say("common.delete")}</SmallButton>
      </div>
      {opened === "add" && (
        <AddMembersDialog
          batchId={id}
          onAdded={() => {
            setOpened(undefined);
            onAdded();
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === "delete" && (
        <DeleteBatchDialog
          batch={batch}
          onDeleted={() => location.assign("/batches")}
          onClose={() => setOpened(undefined)}
        />
      )}
    </header>
  );
}

/** The engine's limit on the name of a group, in characters. */
const GROUP_CHARS_MAX = 200;

type Draft = {
  readonly files: readonly File[];
  readonly group: string;
  readonly byFolder: boolean;
  /** The idempotency key of all attempts to add these. */
  readonly key: string;
};

type AddMembersDialogProps = {
  readonly batchId: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
};

/** Adds latecomers, which are compared with everyone. */
function AddMembersDialog({ batchId, onAdded, onClose }: AddMembersDialogProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ files: [], group: "", byFolder: false, key: newKey() }));
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  const upload = useRef(new AbortController());
  const { files, group, byFolder, key } = draft;
  const edit = (changes: Partial<Omit<Draft, "key">>) => {
    setFault(undefined);
    // Other texts are another request, and so need another key.
    setDraft((before) => ({ ...before, ...changes, key: newKey() }));
  };
  const close = () => {
    upload.current.abort();
    onClose();
  };
  const add = async () => {
    const found = filesFault(files);
    setFault(found);
    setError(undefined);
    if (found !== undefined) return;
    setSent(0);
    const fields = { group: group.trim(), group_by_folder: byFolder ? "true" : "false" } as const;
    try {
      const added = await engineWithProgress({ onSent: setSent }).addMembers(batchId, files, fields, {
        idempotencyKey: key,
        signal: upload.current.signal,
      });
      announce(sayCount("batch.added", added.members_added));
      onAdded();
    } catch (failure) {
      if (upload.current.signal.aborted) return;
      setError(failure);
      setSent(undefined);
    }
  };
  return (
    <Dialog title={say("batch.addTexts")} onClose={close}>
      <p>{say("batch.addText")}</p>
      <FilesField files={files} onFiles={(chosen) => edit({ files: chosen })} />
      <TextField
        label={say("submit.group")}
        hint={say("batch.groupHint")}
        maxLength={GROUP_CHARS_MAX}
        onText={(text) => edit({ group: text })}
      />
      <Tick
        label={say("batch.folderIsGroup")}
        isSet={byFolder}
        onSet={(isSet) => edit({ byFolder: isSet })}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <Fault text={fault} />
      {sent !== undefined && (
        <ProgressBar value={sent < 1 ? sent : undefined} label={say("batches.uploading")} />
      )}
      <div class="buttons">
        <Button onClick={close}>{say("common.cancel")}</Button>
        <Button class="primary" disabled={sent !== undefined} onClick={add}>
          {say("batch.addTexts")}
        </Button>
      </div>
    </Dialog>
  );
}

type DeleteBatchDialogProps = {
  readonly batch: Batch;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

/** Asks before a batch is deleted. */
export function DeleteBatchDialog({ batch, onDeleted, onClose }: DeleteBatchDialogProps) {
  return (
    <DeleteDialog
      title={say("batches.deleteTitle")}
      onDelete={() => engine.deleteBatch(batch.batch_id)}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      <p>
        <bdi>{batchName(batch)}</bdi>
      </p>
      <p>
        {say("batches.deleteText")} {isRunning(batch) && say("batches.deleteRunning")}
      </p>
    </DeleteDialog>
  );
}
