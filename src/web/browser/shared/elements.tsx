import type { ButtonHTMLAttributes, ComponentChildren, Ref } from "preact";
import type { Report } from "../../../client/index.ts";
import { reuseKinds } from "../../../report/wording.ts";
import { say, sayCount, texts } from "./texts.ts";
import { age, date, fullDate, percent } from "./wording.ts";

/** A button that does not submit its form. */
export function Button(attributes: ButtonHTMLAttributes) {
  return <button type="button" {...attributes} />;
}

/** A button of a row or a bar. */
export function SmallButton(attributes: ButtonHTMLAttributes) {
  return <Button class="small" {...attributes} />;
}

type StepButtonsProps = {
  readonly isDisabled?: boolean;
  readonly nextRef?: Ref<HTMLButtonElement>;
  readonly onStep: (direction: 1 | -1) => void;
};

/** Buttons that lead to the passages before and after the present one. */
export function StepButtons({ isDisabled = false, nextRef = null, onStep }: StepButtonsProps) {
  return (
    <>
      <SmallButton disabled={isDisabled} onClick={() => onStep(-1)}>
        <span aria-hidden="true">↑</span> <span class="word">{say("common.previous")}</span>
      </SmallButton>
      <SmallButton ref={nextRef} disabled={isDisabled} onClick={() => onStep(1)}>
        <span aria-hidden="true">↓</span> <span class="word">{say("common.next")}</span>
      </SmallButton>
    </>
  );
}

/** Whether the device is used by fingers: it has no keys to press and no files to drop. */
export function hasCoarsePointer(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

type ExternalLinkProps = { readonly href: string; readonly children?: ComponentChildren };

/** A link to an address that came with a document. Addresses outside the web are plain text; the site sees no referrer. */
export function ExternalLink({ href, children = href }: ExternalLinkProps) {
  const isWeb = URL.canParse(href) && /^https?:$/.test(new URL(href).protocol);
  if (!isWeb) return <span dir="auto">{children}</span>;
  return (
    <a href={href} rel="noopener noreferrer" target="_blank" dir="auto">
      {children}
      <span class="hidden-visually">{say("common.newTab")}</span>
    </a>
  );
}

/** A time as a date or an age, with the full date and time zone as its tooltip. */
export function Timestamp({ at, as = "date" }: { readonly at: string; readonly as?: "date" | "age" }) {
  return (
    <time dateTime={at} title={fullDate(at)}>
      {as === "age" ? age(at, Date.now()) : date(at)}
    </time>
  );
}

type ProgressBarProps = { readonly value: number | undefined; readonly label: string };

/** A progress bar. `value` runs from 0 to 1; without it the bar is indeterminate. */
export function ProgressBar({ value, label }: ProgressBarProps) {
  const known = value !== undefined && { value: Math.round(value * 100) };
  return <progress class="bar" aria-label={label} max={100} {...known} />;
}

/** The share of each kind of reuse: a bar for the whole text, and the same in words. */
export function Kinds({ report }: { readonly report: Pick<Report, "match_types"> }) {
  const kinds = reuseKinds(report, texts);
  if (kinds.length === 0) return null;
  return (
    <>
      <div class="kind-bar" aria-hidden="true">
        {kinds.map(({ type, pct }) => (
          <span key={type} class={`k-${type}`} style={{ width: `${pct}%` }} />
        ))}
      </div>
      <ul class="kinds">
        {kinds.map(({ type, label, chars, pct }) => (
          <li key={type}>
            <span class={`kind-sign k-${type}`} aria-hidden="true" />
            {label} <strong>{percent(pct)}</strong>{" "}
            <span class="quiet">({sayCount("count.characters", chars)})</span>
          </li>
        ))}
      </ul>
    </>
  );
}
