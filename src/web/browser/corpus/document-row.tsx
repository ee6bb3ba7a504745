import type { CorpusDocument } from "../../../client/index.ts";
import { ExternalLink } from "../shared/parts/external-link.tsx";
import { Moment } from "../shared/parts/moment.tsx";
import { languageName } from "../shared/wording/languages.ts";
import { bytes, counted } from "../shared/wording/numbers.ts";
import { mediaKind } from "./media-kind.ts";

/** A document in the list of the corpus. */
export function DocumentRow({
  document,
  onDelete,
}: {
  readonly document: CorpusDocument;
  readonly onDelete: () => void;
}) {
  const { document_id: id, title, source_url: url } = document;
  return (
    <li class="row" data-id={id}>
      <div class="row-main">
        <a class="row-title" href={`/corpus/${id}`}>
          <bdi>{title}</bdi>
        </a>
        <p class="row-facts">
          <Moment at={document.created_at} />
          <span>{mediaKind(document.media_type)}</span>
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
        <button type="button" class="small" aria-label={`Delete ${title}`} onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  );
}

/** Whether checks find a document yet. */
export function FingerprintStatus({ status }: { readonly status: CorpusDocument["fingerprint_status"] }) {
  return status === "fingerprinted" ? (
    <span class="status good">Searchable</span>
  ) : (
    <span class="status">Being prepared</span>
  );
}
