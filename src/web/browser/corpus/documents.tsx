import type { CorpusCoverage, CorpusDocument } from "../../../client/index.ts";
import { DeleteDialog } from "../shared/dialog.tsx";
import { ProgressBar } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { say, sayCount } from "../shared/texts.ts";
import { useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { count } from "../shared/wording.ts";

/** The common name of a media type that the corpus accepts. */
export function fileTypeName(mediaType: string): string {
  return FILE_TYPES[mediaType] ?? mediaType;
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "text/plain": say("corpus.plainText"),
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
    <DeleteDialog title={say("corpus.deleteTitle")} onDelete={remove} onDeleted={onDeleted} onClose={onClose}>
      <p>
        <bdi>{document.title}</bdi>
      </p>
      <p>{say("corpus.deleteText")}</p>
    </DeleteDialog>
  );
}

/** A large corpus is encoded for hours. */
const REFRESH_MS = 5_000;

/** How much of the corpus checks find, followed while documents are being encoded. */
export function useCoverage() {
  const loaded = useLoaded("coverage", (signal) => engine.getCorpusCoverage({ signal }));
  useRefreshed(loaded.value?.semantic_coverage_reason === "not_encoded", loaded.refresh, REFRESH_MS);
  return loaded;
}

/** Says which documents are found by meaning, and why not all of them. */
export function MeaningCoverage({ coverage }: { readonly coverage: CorpusCoverage }) {
  const { encoded, fingerprinted, semantic_coverage_reason: reason } = coverage;
  if (fingerprinted === 0) return null;
  switch (reason) {
    case null:
      return <p class="quiet">{say("corpus.byMeaningAll")}</p>;
    case "off":
      return <p class="quiet">{say("submit.meaningOff")}</p>;
    case "unavailable":
      return <p class="quiet">{say("submit.meaningUnavailable")}</p>;
    case "not_encoded":
      return (
        <div class="meaning-coverage">
          <p>
            {say("submit.meaningNotEncoded", {
              encoded: count(encoded),
              documents: sayCount("count.documents", fingerprinted),
            })}
          </p>
          <ProgressBar value={Math.min(1, encoded / fingerprinted)} label={say("submit.meaningProgress")} />
        </div>
      );
  }
}

type StatusProps = {
  readonly document: CorpusDocument;
  readonly reason: CorpusCoverage["semantic_coverage_reason"] | undefined;
};

/** Whether checks find a document yet. */
export function DocumentStatus({ document, reason }: StatusProps) {
  if (document.fingerprint_status === "pending") return <span class="status">{say("corpus.indexing")}</span>;
  const isPartly = document.semantic_status === "pending" && reason === "not_encoded";
  return <span class="status good">{say(isPartly ? "corpus.byWords" : "corpus.searchable")}</span>;
}

/** Whether checks find translated and strongly reworded text of a document. */
export function meaningStatus({ document, reason }: StatusProps): string {
  if (reason === undefined) return "…";
  if (reason === "off") return say("submit.meaningOff");
  if (reason === "unavailable") return say("submit.meaningUnavailable");
  return say(document.semantic_status === "encoded" ? "corpus.meaningFound" : "corpus.meaningNotYet");
}
