import { useState } from "preact/hooks";
import type { CompareFilesForm, ComparisonLink } from "../../../client/index.ts";
import { withoutFileEnding } from "../../../text/file-ending.ts";
import { Button } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { saveFile } from "../shared/save-file.ts";
import { pageLanguage, say, texts } from "../shared/texts.ts";

type ComparisonActionsProps = {
  /** The texts as they were sent: nothing of them is stored, so they are sent again. */
  readonly form: CompareFilesForm;
  /** The name of the first text. */
  readonly name: string;
  /** Whether the operator allows links. */
  readonly allowsLinks: boolean;
};

type Work = "pdf" | "link" | "delete";

/** The comparison as a PDF, and a link to it where the operator allows that. */
export function ComparisonActions({ form, name, allowsLinks }: ComparisonActionsProps) {
  const [link, setLink] = useState<ComparisonLink>();
  const [running, setRunning] = useState<Work>();
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly retry: () => void }>();

  const run = async (work: Work, task: () => Promise<void>) => {
    if (running !== undefined) return;
    setFailure(undefined);
    setRunning(work);
    try {
      await task();
    } catch (error) {
      setFailure({ error, retry: () => run(work, task) });
    } finally {
      setRunning(undefined);
    }
  };
  const save = () =>
    run("pdf", async () => {
      const response = await engine.compareFilesAsPdf(form, { language: pageLanguage });
      saveFile(await response.blob(), `${withoutFileEnding(name)} – ${say("comparison.fileName")}.pdf`);
    });
  const makeLink = () => run("link", async () => setLink(await engine.makeComparisonLink(form)));
  const deleteLink = (made: ComparisonLink) =>
    run("delete", async () => {
      await engine.deleteComparison(made.comparison_id);
      setLink(undefined);
      announce(say("comparison.linkDeleted"));
    });

  return (
    <>
      <p class="compare-actions">
        <Button aria-disabled={running !== undefined} onClick={save}>
          {say(running === "pdf" ? "comparison.makingPdf" : "report.pdf")}
        </Button>
        {allowsLinks && link === undefined && (
          <Button aria-disabled={running !== undefined} onClick={makeLink}>
            {say("comparison.makeLink")}
          </Button>
        )}
        {link !== undefined && (
          <Button aria-disabled={running !== undefined} onClick={() => deleteLink(link)}>
            {say("comparison.deleteLink")}
          </Button>
        )}
      </p>
      {link !== undefined && (
        <div class="notice" role="status">
          <p>
            {say("comparison.link")}: <a href={link.page_url}>{new URL(link.page_url, location.href).href}</a>
          </p>
          <p>{say("comparison.linkUntil", { date: texts.utcDate(link.expires_at) })}</p>
        </div>
      )}
      {failure !== undefined && <ErrorNotice error={failure.error} onRetry={failure.retry} />}
    </>
  );
}
