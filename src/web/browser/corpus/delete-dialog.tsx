import type { CorpusDocument } from "../../../client/index.ts";
import { engine } from "../shared/engine.ts";
import { ConfirmDialog } from "../shared/parts/confirm-dialog.tsx";
import { unlessGone } from "../shared/unless-gone.ts";

/** Asks before a document is deleted, and deletes it. */
export function DeleteDialog({
  document,
  onDeleted,
  onClose,
}: {
  readonly document: CorpusDocument;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) {
  const remove = async () => {
    await unlessGone(engine.deleteDocument(document.document_id));
    onDeleted();
  };
  return (
    <ConfirmDialog title="Delete this document?" action="Delete" onConfirm={remove} onClose={onClose}>
      <p>
        <bdi>{document.title}</bdi>
      </p>
      <p>It is no longer found by checks. Reports keep their scores, but no longer show it as a source.</p>
    </ConfirmDialog>
  );
}
