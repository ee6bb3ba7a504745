import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { counted } from "../shared/wording.ts";

/** Rows of one page of the report; the CSV file of the texts has all of them. */
const ROWS_MAX = 1_000;

/** The members that could not be read, with the reasons. */
export function UnreadableMembers({
  batchId,
  failed,
}: {
  readonly batchId: string;
  readonly failed: number;
}) {
  const { value, error, reload } = useLoaded(`${batchId} ${failed}`, async (signal) => {
    const report = await engine.getBatchReport(batchId, { limit: ROWS_MAX, min_similarity: 100 }, { signal });
    return report.unreadable;
  });
  return (
    <details class="notice warn unreadable">
      <summary>{counted(failed, "text")} could not be read</summary>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <ul>
        {value?.map(({ member_id: id, name, error_message: reason }) => (
          <li key={id}>
            <bdi>{name}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
