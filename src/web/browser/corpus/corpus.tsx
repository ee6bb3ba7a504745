import type { ComponentChildren } from "preact";
import type { CorpusCoverage, CorpusDocument } from "../../../client/index.ts";
import { ExternalLink, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Choice, OrderField, orderIn } from "../shared/list-controls.tsx";
import { Listing, ListRow } from "../shared/listing.tsx";
import { mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { languageName, say, sayCount } from "../shared/texts.ts";
import { useList } from "../shared/use-list.ts";
import { bytes } from "../shared/wording.ts";
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
    coverage.value === undefined
      ? say("corpus.allDocuments")
      : sayCount("count.documents", coverage.value.documents);

  return (
    <>
      <h1>{say("nav.corpus")}</h1>
      <p class="lead">{say("corpus.lead", { documents: searched })}</p>
      {coverage.value !== undefined && <MeaningCoverage coverage={coverage.value} />}
      <UploadPanel onAccepted={reload} />
      <Collections version={`${coverage.value?.documents}`} />
      <Listing
        list={list}
        total="count.documents"
        controls={
          <>
            <OrderField orders={ORDERS} selected={selected} onSelect={select} />
            <Choice
              label={say("checks.status")}
              options={[{ value: "", label: say("checks.all") }, ...STATUSES]}
              value={selected.fingerprint_status ?? ""}
              onChange={(status) => select({ fingerprint_status: status })}
            />
          </>
        }
        filterNames={["fingerprint_status"]}
        csvPath="/v1/corpus/documents.csv"
        nameOf={({ title }) => title}
        consequenceOf={() => say("corpus.deleteText")}
        onDelete={({ document_id: id }) => engine.deleteDocument(id)}
        onDeleted={coverage.reload}
        whenEmpty={
          <EmptyState title={say("corpus.noUploads")}>
            <p>{say("corpus.chooseAbove")}</p>
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
  { sort: "date", order: "desc", label: say("checks.newest") },
  { sort: "date", order: "asc", label: say("checks.oldest") },
  { sort: "title", order: "asc", label: say("corpus.titleAZ") },
  { sort: "title", order: "desc", label: say("corpus.titleZA") },
  { sort: "words", order: "desc", label: say("checks.longest") },
  { sort: "words", order: "asc", label: say("checks.shortest") },
] as const;

const STATUSES = [
  { value: "fingerprinted", label: say("corpus.searchable") },
  { value: "pending", label: say("corpus.indexing") },
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
          <span>{sayCount("count.words", document.word_count)}</span>
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
