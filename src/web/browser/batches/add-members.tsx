import { useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog.tsx";
import { Button, ProgressBar } from "../shared/elements.tsx";
import { engineWithProgress, newKey } from "../shared/engine.ts";
import { TextField, Tick } from "../shared/field.tsx";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice, Fault } from "../shared/notice.tsx";
import { counted } from "../shared/wording.ts";
import { filesFault } from "./batch-files.ts";
import { FilesField } from "./files-field.tsx";

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
export function AddMembersDialog({ batchId, onAdded, onClose }: AddMembersDialogProps) {
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
      announce(`${counted(added.members_added, "text")} added.`);
      onAdded();
    } catch (failure) {
      if (upload.current.signal.aborted) return;
      setError(failure);
      setSent(undefined);
    }
  };
  return (
    <Dialog title="Add texts" onClose={close}>
      <p>They will be compared with all texts of the batch and with each other.</p>
      <FilesField files={files} onFiles={(chosen) => edit({ files: chosen })} />
      <TextField
        label="Group"
        hint="Texts of one group are not compared with each other."
        maxLength={GROUP_CHARS_MAX}
        onText={(text) => edit({ group: text })}
      />
      <Tick label="Each folder is a group" isSet={byFolder} onSet={(isSet) => edit({ byFolder: isSet })} />
      {error !== undefined && <ErrorNotice error={error} />}
      <Fault text={fault} />
      {sent !== undefined && <ProgressBar value={sent < 1 ? sent : undefined} label="Uploading the files" />}
      <div class="buttons">
        <Button onClick={close}>Cancel</Button>
        <Button class="primary" disabled={sent !== undefined} onClick={add}>
          Add
        </Button>
      </div>
    </Dialog>
  );
}
