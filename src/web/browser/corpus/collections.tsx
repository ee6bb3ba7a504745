import { Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { languageName, say, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { bytes, count } from "../shared/wording.ts";

/** Languages that are named; the others are counted. */
const LANGUAGES_NAMED = 3;

/** What checks search, by collection: also documents that are not listed one by one. @param version loads the figures again when it changes */
export function Collections({ version }: { readonly version: string }) {
  const { value, error, reload } = useLoaded(`collections ${version}`, (signal) =>
    engine.listCollections({ signal }),
  );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined || value.items.length === 0) return null;
  return (
    <section class="collections" aria-labelledby="collections-title">
      <h2 id="collections-title">{say("corpus.searched")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window it is scrolled, also with keys */}
      <section class="table-place" tabIndex={0} aria-label={say("corpus.figures")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say("corpus.collection")}</th>
              <th scope="col">{say("corpus.documents")}</th>
              <th scope="col">{say("corpus.words")}</th>
              <th scope="col">{say("corpus.size")}</th>
              <th scope="col">{say("corpus.languages")}</th>
              <th scope="col">{say("corpus.newest")}</th>
              <th scope="col">{say("corpus.byMeaning")}</th>
            </tr>
          </thead>
          <tbody>
            {value.items.map((one) => (
              <tr key={one.collection}>
                <th scope="row">
                  {one.collection === null ? say("corpus.noCollection") : <bdi>{one.collection}</bdi>}
                </th>
                <td>{count(one.documents)}</td>
                <td>{count(one.words)}</td>
                <td>{bytes(one.text_bytes)}</td>
                <td>{languagesInWords(one.languages)}</td>
                <td>
                  <Timestamp at={one.newest_at} as="age" />
                </td>
                <td>{one.encoded === one.documents ? say("corpus.allOf") : count(one.encoded)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** The most frequent first: `English, German and 2 more`. */
function languagesInWords(languages: Readonly<Record<string, number>>): string {
  const codes = Object.entries(languages)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code]) => code);
  const named = codes.slice(0, LANGUAGES_NAMED).map(languageName);
  const more = codes.length - LANGUAGES_NAMED;
  return texts.list(more > 0 ? [...named, say("pending.more", { count: count(more) })] : named);
}
