import type { ComponentChildren } from "preact";
import { Button } from "./elements.tsx";
import { failureOf } from "./engine.ts";
import { say } from "./texts.ts";

type NoticeProps = EmptyStateProps & { readonly kind: "warn" | "bad" };

/** A highlighted message. Screen readers announce a `bad` one at once. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : undefined}>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}

type FoldedNoticeProps = EmptyStateProps & {
  readonly kind: "warn" | "info";
  /** Stands beside the title, in the same line. */
  readonly more?: ComponentChildren;
  /** Whether it shows its details at first. */
  readonly isOpen?: boolean;
};

/** A message of one line, with a disclosure of its details. */
export function FoldedNotice({ kind, title, more, isOpen = false, children }: FoldedNoticeProps) {
  return (
    <details class={`notice folded ${kind}`} open={isOpen}>
      <summary>
        <h2>{title}</h2>
        {more !== undefined && <> {more}</>}
      </summary>
      {children}
    </details>
  );
}

type NotFoundProps = {
  readonly title: string;
  /** Why it may be gone. */
  readonly advice?: string;
  readonly listHref: string;
  readonly listName: string;
};

/** Something that was deleted or never existed, with the way to the list of its kind. */
export function NotFound({ title, advice = say("notFound.advice"), listHref, listName }: NotFoundProps) {
  return (
    <EmptyState title={title}>
      <p>{advice}</p>
      <p>
        <a href={listHref}>{listName}</a>
      </p>
    </EmptyState>
  );
}

/** An error with its details and advice. @param onRetry repeats the request; offered only where that may succeed */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, detail, faults, advice, isTemporary } = failureOf(error, navigator.onLine);
  return (
    <Notice kind="bad" title={title}>
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
      {onRetry !== undefined && isTemporary && <Button onClick={onRetry}>{say("common.tryAgain")}</Button>}
    </Notice>
  );
}

type PendingProps = {
  /** Shown while it loads. */
  readonly text: string;
  /** Undefined while it loads. */
  readonly error: unknown;
  readonly reload: () => void;
};

/** Stands for something that is still loading, or could not be loaded. */
export function Pending({ text, error, reload }: PendingProps) {
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  return <p class="quiet">{text}</p>;
}

/** The error of an input or a file, on one line; empty if it is valid. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" role="alert" dir="auto">
      {text}
    </p>
  );
}

type EmptyStateProps = { readonly title: string; readonly children: ComponentChildren };

/** Replaces an empty list: the reason and the next step. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
