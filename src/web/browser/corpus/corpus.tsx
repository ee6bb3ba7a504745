import type { ComponentChildren } from "preact";
import type { CorpusCoverage, CorpusDocument } from "../../../client/index.ts";
import { ExternalLink, hasCoarsePointer, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Choice, OrderField, orderIn } from "../shared/list-controls.tsx";
import { englishWords } from "../shared/list-words.ts";
import { Listing, ListRow } from "../shared/listing.tsx";
import { mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { languageName } from "../shared/texts.ts";
import { useList } from "../shared/use-list.ts";
import { bytes, counted } from "../shared/wording.ts";
import { Collections } from "./collections.tsx";
import {
  DeleteDocumentDialog,
  DocumentStatus,
  fileTypeName,
  MeaningCoverage,
  useCoverage,
} from "./documents.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import "./corpus.css";

function CorpusPage() {
  const coverage = useCoverage();
  const reason = coverage.value?.semantic_coverage_reason;
  const list = useList({
    selectionOf,
    load: (request, signal) => engine.listDocuments(request, { signal }),
    idOf: ({ document_id }: CorpusDocument) => document_id,
    isPending: ({ fingerprint_status, semantic_status }) =>
      fingerprint_status === "pending" || (semantic_status === "pending" && reason === "not_encoded"),
  });
  const { selected, select } = list;
  const reload = () => {
    list.loaded.reload();
    coverage.reload();
  };
  const searched =
    coverage.value === undefined ? "all documents" : counted(coverage.value.documents, "document");

  return (
    <>
      <h1>Corpus</h1>
      <p class="lead">
        Every check searches {searched}. Uploaded documents are listed here one by one. Documents that an
        operator ingested are searched too, and counted by collection.
      </p>
      {coverage.value !== undefined && <MeaningCoverage coverage={coverage.value} />}
      <UploadPanel onAccepted={reload} />
      <Collections version={`${coverage.value?.documents}`} />
      <Listing
        list={list}
        words={englishWords("document")}
        controls={
          <>
            <OrderField orders={ORDERS} selected={selected} onSelect={select} />
            <Choice
              label="Status"
              options={[{ value: "", label: "All" }, ...STATUSES]}
              value={selected.fingerprint_status ?? ""}
              onChange={(status) => select({ fingerprint_status: status })}
            />
          </>
        }
        filterNames={["fingerprint_status"]}
        csvPath="/v1/corpus/documents.csv"
        nameOf={({ title }) => title}
        consequenceOf={() =>
          "Checks will no longer find them. Existing reports keep their scores but stop listing them as sources."
        }
        onDelete={({ document_id: id }) => engine.deleteDocument(id)}
        onDeleted={coverage.reload}
        whenEmpty={
          <EmptyState title="No uploads yet">
            <p>Choose files above{hasCoarsePointer() ? "" : " or drop them on this page"}.</p>
          </EmptyState>
        }
        row={(one, picker, onDelete) => (
          <Row key={one.document_id} document={one} picker={picker} reason={reason} onDelete={onDelete} />
        )}
        deleteDialog={(document, events) => <DeleteDocumentDialog document={document} {...events} />}
      />
    </>
  );
}

const ORDERS = [
  { sort: "date", order: "desc", label: "Newest first" },
  { sort: "date", order: "asc", label: "Oldest first" },
  { sort: "title", order: "asc", label: "Title A to Z" },
  { sort: "title", order: "desc", label: "Title Z to A" },
  { sort: "words", order: "desc", label: "Longest first" },
  { sort: "words", order: "asc", label: "Shortest first" },
] as const;

const STATUSES = [
  { value: "fingerprinted", label: "Searchable" },
  { value: "pending", label: "Indexing" },
] as const;

function selectionOf(query: URLSearchParams) {
  const status = STATUSES.find(({ value }) => value === query.get("fingerprint_status"))?.value;
  return {
    ...orderIn<(typeof ORDERS)[number]["sort"]>(ORDERS, query),
    ...(status !== undefined && { fingerprint_status: status }),
  };
}

type RowProps = {
  readonly picker: ComponentChildren;
  readonly document: CorpusDocument;
  readonly reason: CorpusCoverage["semantic_coverage_reason"] | undefined;
  readonly onDelete: () => void;
};

function Row({ document, reason, ...row }: RowProps) {
  const { document_id: id, title, source_url: url } = document;
  return (
    <ListRow
      {...row}
      id={id}
      name={title}
      link={
        <a class="row-title" href={`/corpus/${id}`}>
          <bdi>{title}</bdi>
        </a>
      }
      facts={
        <>
          <Timestamp at={document.created_at} />
          <span>{fileTypeName(document.media_type)}</span>
          <span>{bytes(document.size_bytes)}</span>
          <span>{counted(document.word_count, "word")}</span>
          <span>{languageName(document.language)}</span>
          {document.collection !== undefined && <bdi>{document.collection}</bdi>}
        </>
      }
      more={
        url !== null && (
          <p class="row-facts row-url">
            <ExternalLink href={url} />
          </p>
        )
      }
      outcome={<DocumentStatus document={document} reason={reason} />}
    />
  );
}

mount(<CorpusPage />);
