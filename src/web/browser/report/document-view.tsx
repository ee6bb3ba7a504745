import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Check } from "../../../client/index.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { say } from "../shared/texts.ts";
import { bytes } from "../shared/wording.ts";
import type { AddressState } from "./report-address.ts";
import { TextView } from "./text-view.tsx";
import type { Reading } from "./use-reading.ts";

type DocumentViewProps = {
  readonly check: Check;
  readonly reading: Reading;
  readonly view: AddressState;
};

/** The submitted text, or the file that it was read from, with the same marks. */
export function DocumentView({ check, reading, view: { address, change } }: DocumentViewProps) {
  const { original } = check;
  const form = original === null ? undefined : FORMS[original.media_type];
  const isOriginal = form !== undefined && address.view === "original";
  const { chosen, reveal } = reading;
  useEffect(() => {
    if (chosen !== undefined) reveal(chosen.start);
  }, [isOriginal]);
  return (
    <>
      {original !== null && (
        <div class="view-bar">
          {form !== undefined && (
            <fieldset class="views">
              <legend>{say("report.view")}</legend>
              {[
                { label: say("report.viewText"), value: undefined },
                { label: form.label, value: "original" } as const,
              ].map(({ label, value }) => (
                <button
                  key={label}
                  type="button"
                  aria-pressed={isOriginal === (value !== undefined)}
                  onClick={() => change({ view: value }, "replaceState")}
                >
                  {label}
                </button>
              ))}
            </fieldset>
          )}
          <a href={`/v1/checks/${check.check_id}/original`} download={original.filename}>
            <bdi>{original.filename}</bdi>
          </a>{" "}
          <span class="quiet">{bytes(original.size_bytes)}</span>
        </div>
      )}
      {isOriginal ? (
        <Loaded load={form.load} checkId={check.check_id} reading={reading} />
      ) : (
        <TextView reading={reading} />
      )}
    </>
  );
}

/** A view of an original file. Its code is loaded when it is first shown. */
type OriginalView = ComponentType<{ readonly checkId: string; readonly reading: Reading }>;

const FORMS: Readonly<
  Record<string, { readonly label: string; readonly load: () => Promise<OriginalView> }>
> = {
  "application/pdf": {
    label: say("report.viewPages"),
    load: async () => (await import("./pdf-pages.tsx")).PdfPages,
  },
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": {
    label: say("report.viewDocument"),
    load: async () => (await import("./word-document.tsx")).WordDocument,
  },
};

type LoadedProps = {
  readonly load: () => Promise<OriginalView>;
  readonly checkId: string;
  readonly reading: Reading;
};

function Loaded({ load, ...props }: LoadedProps) {
  const [loaded, setLoaded] = useState<{ readonly View?: OriginalView; readonly error?: unknown }>({});
  useEffect(() => {
    load().then(
      (View) => setLoaded({ View }),
      (error: unknown) => setLoaded({ error }),
    );
  }, [load]);
  if (loaded.View !== undefined) return <loaded.View {...props} />;
  if (loaded.error !== undefined)
    return <ErrorNotice error={loaded.error} onRetry={() => location.reload()} />;
  return <p class="quiet original-state">{say("report.loadingFile")}</p>;
}
