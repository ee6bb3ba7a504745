import type { ComponentChildren } from "preact";
import { type Failure, failureOf } from "../wording/failure.ts";

export type NoticeKind = "plain" | "warn" | "bad";

/** Something the reader should know, set apart from the rest. One that is `bad` is said at once by a screen reader. */
export function Notice({
  kind = "plain",
  title,
  children,
}: {
  readonly kind?: NoticeKind;
  readonly title?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

/** An error of any kind, with what happened, each fault, and what to do. */
export function ErrorNotice({
  error,
  onRetry,
}: {
  readonly error: unknown;
  /** Does the same again; offered where that may well help. */
  readonly onRetry?: () => void;
}) {
  const failure = failureOf(error, navigator.onLine);
  return (
    <Notice kind="bad" title={failure.title}>
      <FailureWords failure={failure} />
      {onRetry !== undefined && failure.passes && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Notice>
  );
}

function FailureWords({ failure: { detail, faults, advice } }: { readonly failure: Failure }) {
  return (
    <>
      {detail !== "" && <p dir="auto">{detail}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault} dir="auto">
              {fault}
            </li>
          ))}
        </ul>
      )}
      {advice !== undefined && <p>{advice}</p>}
    </>
  );
}
