import type { CorpusDocument } from "../../../client/index.ts";
import { DeleteDialog } from "../shared/dialog.tsx";
import { engine } from "../shared/engine.ts";

/** The common name of a media type that the corpus accepts. */
export function fileTypeName(mediaType: string): string {
  return FILE_TYPES[mediaType] ?? mediaType;
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "text/plain": "Plain text",
  "text/markdown": "Markdown",
};

type DeleteDocumentProps = {
  readonly document: CorpusDocument;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

/** Asks before a document is deleted, and deletes it. */
export function DeleteDocumentDialog({ document, onDeleted, onClose }: DeleteDocumentProps) {
  const remove = () => engine.deleteDocument(document.document_id);
  return (
    <DeleteDialog title="Delete this document?" onDelete={remove} onDeleted={onDeleted} onClose={onClose}>
      <p>
        <bdi>{document.title}</bdi>
      </p>
      <p>
        Checks will no longer find it. Existing reports keep their scores but stop listing it as a source.
      </p>
    </DeleteDialog>
  );
}
