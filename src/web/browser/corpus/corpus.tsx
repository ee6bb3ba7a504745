import { useState } from "preact/hooks";
import type { CorpusCoverage, CorpusDocument } from "../../../client/index.ts";
import { languageName } from "../../../reports/wording.ts";
import { ExternalLink, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Listing } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { useList } from "../shared/use-list.ts";
import { bytes, counted } from "../shared/wording.ts";
import { DocumentStatus, MeaningCoverage, useCoverage } from "./coverage.tsx";
import { DeleteDocumentDialog, fileTypeName } from "./documents.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import "./corpus.css";

function CorpusPage() {
  const coverage = useCoverage();
  const reason = coverage.value?.semantic_coverage_reason;
  const list = useList<CorpusDocument>({
    load: (request, signal) => engine.listDocuments(request, { signal }),
    idOf: ({ document_id }) => document_id,
    isPending: ({ fingerprint_status, semantic_status }) =>
      fingerprint_status === "pending" || (semantic_status === "pending" && reason === "not_encoded"),
  });
  const [toDelete, setToDelete] = useState<CorpusDocument>();
  const reload = () => {
    list.loaded.reload();
    coverage.reload();
  };
  const forget = ({ document_id: id, title }: CorpusDocument) => {
    setToDelete(undefined);
    list.remove(id);
    coverage.reload();
    announce(`${title} deleted.`);
  };
  const searched =
    coverage.value === undefined ? "all documents" : counted(coverage.value.documents, "document");

  return (
    <>
      <h1>Corpus</h1>
      <p class="lead">
        Every check searches {searched}. Uploaded documents are listed here. Documents that an operator
        ingested from folders are searched too, but not listed.
      </p>
      {coverage.value !== undefined && <MeaningCoverage coverage={coverage.value} />}
      <UploadPanel onAccepted={reload} />
      <Listing
        list={list}
        noun="document"
        whenEmpty={
          <EmptyState title="No uploads yet">
            <p>Choose files above or drop them on this page.</p>
          </EmptyState>
        }
        row={(one) => (
          <Row key={one.document_id} document={one} reason={reason} onDelete={() => setToDelete(one)} />
        )}
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

type RowProps = {
  readonly document: CorpusDocument;
  readonly reason: CorpusCoverage["semantic_coverage_reason"] | undefined;
  readonly onDelete: () => void;
};

function Row({ document, reason, onDelete }: RowProps) {
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
        <DocumentStatus document={document} reason={reason} />
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
