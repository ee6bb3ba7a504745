import type { ComponentChildren } from "preact";
import type { CorpusDocument } from "../../../client/index.ts";
import { ExternalLink } from "../shared/parts/external-link.tsx";
import { Moment } from "../shared/parts/moment.tsx";
import { languageName } from "../shared/wording/languages.ts";
import { bytes, count } from "../shared/wording/numbers.ts";
import { FingerprintStatus } from "./document-row.tsx";
import { mediaKind } from "./media-kind.ts";

/** What is known of a document beside its text. */
export function DocumentFacts({ document }: { readonly document: CorpusDocument }) {
  const { source_url: url } = document;
  return (
    <dl class="facts">
      <Fact name="Status">
        <FingerprintStatus status={document.fingerprint_status} />
      </Fact>
      {url !== null && (
        <Fact name="Published at">
          <ExternalLink href={url} />
        </Fact>
      )}
      <Fact name="File">
        <bdi>{document.filename}</bdi>
      </Fact>
      <Fact name="Kind">
        {mediaKind(document.media_type)}, {bytes(document.size_bytes)}
      </Fact>
      <Fact name="Language">{languageName(document.language)}</Fact>
      <Fact name="Length">
        {count(document.word_count)} words, {count(document.char_count)} characters
      </Fact>
      <Fact name="Added">
        <Moment at={document.created_at} />
      </Fact>
      <Fact name="SHA-256">
        <code>{document.sha256}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
