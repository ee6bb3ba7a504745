import { useState } from "preact/hooks";
import type { Batch } from "../../../client/index.ts";
import { languageName } from "../../../report/wording.ts";
import { SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { announce } from "../shared/mount.tsx";
import { TitleEditor, useFocusAfter } from "../shared/title-editor.tsx";
import { counted } from "../shared/wording.ts";
import { AddMembersDialog } from "./add-members.tsx";
import { batchName, comparedWithInWords } from "./batch-wording.ts";
import { DeleteBatchDialog } from "./delete-batch.tsx";

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
    announce(title === null ? "Title removed." : `Renamed to ${title}.`);
  };
  return (
    <header class="batch-head">
      {isRenaming ? (
        <TitleEditor title={batch.title ?? ""} onSave={rename} onClose={() => setIsRenaming(false)} />
      ) : (
        <h1 dir="auto">{batchName(batch)}</h1>
      )}
      <p class="quiet facts">
        {counted(batch.members_total, "text")} · compared with {comparedWithInWords(batch)}
        {batch.language !== null && ` · ${languageName(batch.language)}`} · submitted{" "}
        <Timestamp at={batch.created_at} />
        {batch.add_to_corpus && " · added to the corpus"}
      </p>
      <div class="batch-actions">
        <SmallButton onClick={() => setOpened("add")}>Add texts…</SmallButton>
        <SmallButton ref={renameButton} disabled={isRenaming} onClick={() => setIsRenaming(true)}>
          Rename
        </SmallButton>
        <SmallButton onClick={() => setOpened("delete")}>Delete</SmallButton>
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
