import { useState } from "preact/hooks";
import type { CorpusDocument } from "../../../client/index.ts";
import { ExternalLink, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Listing } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { useList } from "../shared/use-list.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { bytes, counted, languageName } from "../shared/wording.ts";
import { DeleteDocumentDialog, FingerprintStatus, fileTypeName } from "./documents.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import "./corpus.css";

function CorpusPage() {
  const list = useList<CorpusDocument>({
    load: (request, signal) => engine.listDocuments(request, { signal }),
    idOf: ({ document_id }) => document_id,
    isPending: ({ fingerprint_status }) => fingerprint_status === "pending",
  });
  const stats = useLoaded("stats", (signal) => engine.getCheckStats({ signal }));
  const [toDelete, setToDelete] = useState<CorpusDocument>();
  const reload = () => {
    list.loaded.reload();
    stats.reload();
  };
  const forget = ({ document_id: id, title }: CorpusDocument) => {
    setToDelete(undefined);
    list.remove(id);
    stats.reload();
    announce(`${title} deleted.`);
  };
  const searched =
    stats.value === undefined ? "all documents" : counted(stats.value.total_sources, "document");

  return (
    <>
      <h1>Corpus</h1>
      <p class="lead">
        Every check searches {searched}. Uploaded documents are listed here. Documents that an operator
        ingested from folders are searched too, but not listed.
      </p>
      <UploadPanel onAccepted={reload} />
      <Listing
        list={list}
        noun="document"
        whenEmpty={
          <EmptyState title="No uploads yet">
            <p>Choose files above or drop them on this page.</p>
          </EmptyState>
        }
        row={(one) => <Row key={one.document_id} document={one} onDelete={() => setToDelete(one)} />}
      />
      {toDelete !== undefined && (
        <DeleteDocumentDialog
          document={toDelete}
          onDeleted={() => forget(toDelete)}
          onClose={() => setToDelete(undefined)}
        />
      )}
    </>
  );
}

function Row({ document, onDelete }: { readonly document: CorpusDocument; readonly onDelete: () => void }) {
  const { document_id: id, title, source_url: url } = document;
  return (
    <li class="row" data-id={id}>
      <div class="row-main">
        <a class="row-title" href={`/corpus/${id}`}>
          <bdi>{title}</bdi>
        </a>
        <p class="row-facts">
          <Timestamp at={document.created_at} />
          <span>{fileTypeName(document.media_type)}</span>
          <span>{bytes(document.size_bytes)}</span>
          <span>{counted(document.word_count, "word")}</span>
          <span>{languageName(document.language)}</span>
        </p>
        {url !== null && (
          <p class="row-facts row-url">
            <ExternalLink href={url} />
          </p>
        )}
      </div>
      <div class="row-outcome">
        <FingerprintStatus status={document.fingerprint_status} />
      </div>
      <div class="row-actions">
        <SmallButton aria-label={`Delete ${title}`} onClick={onDelete}>
          Delete
        </SmallButton>
      </div>
    </li>
  );
}

mount(<CorpusPage />);
