import type { CheckStats } from "../../../client/index.ts";
import { CheckLink, CheckOutcome, isRunning } from "../shared/check-progress.tsx";
import { ProgressBar, Timestamp } from "../shared/elements.tsx";
import { engine, engineWithProgress } from "../shared/engine.ts";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState, ErrorNotice, Fault, Notice } from "../shared/notice.tsx";
import { say, sayCount, sayParts } from "../shared/texts.ts";
import { useLoaded, usePageRestored, useRefreshed } from "../shared/use-loaded.ts";
import { count, percent } from "../shared/wording.ts";
import "./submit.css";
import { useRef, useState } from "preact/hooks";
import { MeaningCoverage, useCoverage } from "../corpus/documents.tsx";
import { Form, TextField, TITLE_CHARS_MAX, useSubmitKeys } from "../shared/field.tsx";
import { fileFault, useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { Composer } from "./composer.tsx";
import { type Draft, edited, textFault, useDraft, useTextSize } from "./draft.ts";
import {
  collectionNames,
  EMPTY_SCOPE,
  type Scope,
  ScopeFields,
  scopeFault,
  scopeMembers,
} from "./scope-fields.tsx";

function SubmitPage() {
  const { value: stats } = useLoaded("stats", (signal) => engine.getCheckStats({ signal }));
  return (
    <>
      <h1>{say("submit.title")}</h1>
      <p class="lead">
        {sayParts("submit.lead", { link: <a href="/compare">{say("submit.compareLink")}</a> })}
      </p>
      {stats?.total_sources === 0 && (
        <Notice kind="warn" title={say("submit.corpusEmpty")}>
          <p>{say("submit.nothingYet")}</p>
          <p>
            <a class="button primary" href="/corpus">
              {say("submit.addDocuments")}
            </a>
          </p>
        </Notice>
      )}
      <SubmitForm isCorpusEmpty={stats?.total_sources === 0} />
      <div class="below">
        <RecentChecks />
        <CorpusSize stats={stats} />
      </div>
    </>
  );
}

const RECENT_SHOWN = 5;

function RecentChecks() {
  const { value, error, reload, refresh } = useLoaded("recent", (signal) =>
    engine.listChecks({ limit: RECENT_SHOWN }, { signal }),
  );
  const checks = value?.items ?? [];
  useRefreshed(checks.some(isRunning), refresh);
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">{say("submit.recent")}</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {value !== undefined && checks.length === 0 && (
        <EmptyState title={say("submit.noChecks")}>
          <p>{say("submit.willAppear")}</p>
        </EmptyState>
      )}
      <ul class="recent-list">
        {checks.map((check) => (
          <li key={check.check_id}>
            <div>
              <CheckLink check={check} />
              <p class="hint">
                <Timestamp at={check.created_at} as="age" />
              </p>
            </div>
            <CheckOutcome check={check} />
          </li>
        ))}
      </ul>
      {value !== undefined && value.total > RECENT_SHOWN && (
        <p>
          <a href="/checks">{say("submit.allChecks")}</a>
        </p>
      )}
    </section>
  );
}

function CorpusSize({ stats }: { readonly stats: CheckStats | undefined }) {
  return (
    <section class="corpus-size" aria-labelledby="corpus-title">
      <h2 id="corpus-title">{say("submit.corpus")}</h2>
      <p class="figure">
        <span class="figure-number">{stats === undefined ? "\u00a0" : count(stats.total_sources)}</span>
        {sayParts("submit.toCompare", {
          documents: <a href="/corpus">{sayCount("submit.documents", stats?.total_sources ?? 0)}</a>,
        })}
      </p>
      <p class="quiet">{stats === undefined ? "\u00a0" : checkTotals(stats)}</p>
    </section>
  );
}

function checkTotals(stats: CheckStats): string {
  const { total_checks: checks, total_words: words, avg_similarity_pct: average } = stats;
  if (checks === 0) return say("submit.noneYet");
  const totals = { checks: sayCount("count.checks", checks), words: sayCount("count.words", words) };
  return average === null
    ? say("submit.totals", totals)
    : say("submit.totalsAverage", { ...totals, pct: percent(average) });
}

type SubmitFormProps = {
  /** Nothing can be found then: adding documents comes first. */
  readonly isCorpusEmpty: boolean;
};

/** The form that submits a check and opens its page. */
function SubmitForm({ isCorpusEmpty }: SubmitFormProps) {
  const { value: coverage } = useCoverage();
  const { draft, change, forget } = useDraft();
  // Later changes are in the fields already: writing them back would move the cursor.
  const [initial] = useState(draft);
  const [file, setFile] = useState<File>();
  const [scope, setScope] = useState(EMPTY_SCOPE);
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useTextSize(draft.text, draft.language);
  const { sent, error, fault, clearFault, submit } = useSubmission({
    onFault: () => field.current?.focus(),
    onAccepted: forget,
  });

  const edit = (changes: Partial<Omit<Draft, "key">>) => {
    clearFault();
    change(edited(draft, changes));
  };
  const chooseFile = (chosen: File | undefined) => {
    setFile(chosen);
    // Another file is another check, and so needs another key.
    edit({});
    if (chosen !== undefined) announce(say("submit.selected", { name: chosen.name }));
  };
  const isFileOver = useFileDrop(([first]) => chooseFile(first));
  const submitNow = () => void submit(draft, scope, file, size.chars);
  useSubmitKeys(submitNow);

  return (
    <Form class="submit-form" label={say("submit.form")} onSubmit={submitNow}>
      <Composer
        label={say("submit.text")}
        field={field}
        initialText={initial.text}
        size={size}
        file={file}
        isFileOver={isFileOver}
        onText={(text) => edit({ text })}
        onFile={chooseFile}
      />
      <div class="submit-fields">
        <TextField
          label={say("common.title")}
          hint={say("submit.titleHint")}
          maxLength={TITLE_CHARS_MAX}
          initial={initial.title}
          onText={(title) => edit({ title })}
        />
        <LanguageField
          label={say("common.language")}
          hint={say("submit.languageHint")}
          value={draft.language}
          onChange={(language) => edit({ language })}
        />
      </div>
      <ScopeFields
        scope={scope}
        onScope={(changed) => {
          setScope(changed);
          edit({});
        }}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <Fault text={fault} />
      {coverage !== undefined && coverage.semantic_coverage_reason !== null && (
        <MeaningCoverage coverage={coverage} />
      )}
      <div class="submit-row">
        <button type="submit" class={isCorpusEmpty ? "" : "primary"} aria-disabled={sent !== undefined}>
          {say(sent === undefined ? "submit.check" : "submit.sending")}
        </button>
        {sent !== undefined && file !== undefined ? (
          <ProgressBar
            value={sent < 1 ? sent : undefined}
            label={say(sent < 1 ? "submit.uploading" : "submit.extracting")}
          />
        ) : (
          <span class="hint keys">{submitKeysName()}</span>
        )}
      </div>
    </Form>
  );
}

function submitKeysName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ + Enter" : "Ctrl + Enter";
}

type SubmissionOptions = { readonly onFault: () => void; readonly onAccepted: () => void };

/** Submits drafts, and calls `onFault` for one that can't be submitted or `onAccepted`. */
function useSubmission({ onFault, onAccepted }: SubmissionOptions) {
  /** The fraction of the file that is sent, from 0 to 1; undefined while nothing is being sent. */
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  usePageRestored(() => setSent(undefined));

  /** Submits the draft, or the file instead, and opens the check's page. */
  const submit = async (draft: Draft, scope: Scope, file: File | undefined, chars: number) => {
    if (sent !== undefined) return;
    const found = file === undefined ? textFault(draft.text, chars) : fileFault(file);
    setFault(found ?? scopeFault(scope));
    if (found !== undefined) return onFault();
    if (scopeFault(scope) !== undefined) return;
    setError(undefined);
    setSent(0);
    try {
      const checkId = await submitDraft(draft, scope, file, setSent);
      onAccepted();
      location.assign(`/checks/${checkId}`);
    } catch (failure) {
      setError(failure);
      setSent(undefined);
    }
  };
  return { sent, error, fault, clearFault: () => setFault(undefined), submit };
}

/** Returns the check's identifier. The draft's key makes repeated attempts a single check. */
async function submitDraft(
  { text, title, language, key }: Draft,
  scope: Scope,
  file: File | undefined,
  onSent: (fraction: number) => void,
): Promise<string> {
  const name = title.trim();
  const fields = {
    ...(name !== "" && { title: name }),
    ...(language !== "" && { language }),
    ...scopeMembers(scope),
  };
  const options = { idempotencyKey: key };
  const { check_id: checkId } =
    file === undefined
      ? await engine.submitCheck({ query_text: text, ...fields, ...listsOf(scope) }, options)
      : await engineWithProgress({ onSent }).submitUpload(file, { ...fields, ...partsOf(scope) }, options);
  return checkId;
}

/** For a text. */
function listsOf(scope: Scope) {
  const collections = collectionNames(scope);
  const hasTemplate = scope.template.trim() !== "";
  return {
    ...(collections.length > 0 && { collections }),
    ...(hasTemplate && { templates: [scope.template] }),
  };
}

/** For a form with a file. */
function partsOf(scope: Scope) {
  const { collections = [], templates = [] } = listsOf(scope);
  return {
    ...(collections.length > 0 && { collections: collections.join(",") }),
    ...(templates.length > 0 && { templates: templates.map((text) => new File([text], "handed out.txt")) }),
  };
}

mount(<SubmitPage />);
