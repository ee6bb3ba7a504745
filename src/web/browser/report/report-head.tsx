import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Check, Report } from "../../../client/index.ts";
import { colourOf } from "../../../report/source-colours.ts";
import {
  corpusInWords,
  coverageInWords,
  isComparedWithMembersOnly,
  languageOriginInWords,
  matchGroupsOf,
  pendingInWords,
  riseInWords,
  scoreInWords,
  semanticCoverageInWords,
  shownScore,
  standingInWords,
  statedInFile,
} from "../../../report/wording.ts";
import { Button, Kinds, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine, failureLine, failureOf } from "../shared/engine.ts";
import { TitleEditor, useFocusAfter } from "../shared/field.tsx";
import { LanguageDialog } from "../shared/language-field.tsx";
import { announce } from "../shared/mount.tsx";
import { Fault, FoldedNotice } from "../shared/notice.tsx";
import { languageName, pageLanguage, say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { useWindowEvent } from "../shared/use-window-event.ts";
import { batchName, percent } from "../shared/wording.ts";
import { type Filters, filterQuery, isFiltered } from "./report-address.ts";

export type Renaming = { readonly check: Check; readonly onRenamed: (check: Check) => void };

type ReportHeadProps = Renaming & {
  readonly report: Report;
  /** The current filters; the report may still have earlier ones. */
  readonly filters: Filters;
  /** Further notices. */
  readonly children: ComponentChildren;
};

/** Title, facts, exports, score and notices of a report: compact, so that the text is in view. */
export function ReportHead({ check, report, filters, onRenamed, children }: ReportHeadProps) {
  const coverage = coverageInWords(report, texts);
  const pending = pendingInWords(report, texts);
  const semantic = semanticCoverageInWords(report, texts);
  const hasOcr = report.page_notes?.some(({ kind }) => kind === "ocr") === true;
  const standing = standingInWords(report, texts);
  const stated = statedInFile(report, texts);
  const membersOnly = isComparedWithMembersOnly(report);
  const isNothingFound = !membersOnly && report.total_matched_chars === 0 && report.filters === null;
  return (
    <header class="report-head">
      <div>
        {report.batch !== null && <BatchCrumb batch={report.batch} />}
        <ReportTitle check={check} onRenamed={onRenamed}>
          <Actions check={check} report={report} filters={filters} />
        </ReportTitle>
        <p class="quiet facts">
          {languageName(report.language)}
          {languageOriginInWords(report.language_origin, texts)} ·{" "}
          {sayCount("count.characters", report.char_count)} · {sayCount("count.words", report.word_count)} ·{" "}
          {sayParts("report.checked", { date: <Timestamp at={report.completed_at} /> })}
          {membersOnly
            ? `, ${say("report.notCorpus")}`
            : ` ${say("report.against", { corpus: corpusInWords(report, texts) })}`}
        </p>
        {stated.length > 0 && (
          <p class="quiet facts">
            {stated.map(({ name, value }, at) => (
              <span key={name}>
                {at > 0 && " · "}
                {name}: <bdi>{value}</bdi>
              </span>
            ))}
          </p>
        )}
      </div>
      <Score report={report} />
      <div class="notices">
        {standing !== undefined && (
          <FoldedNotice kind="info" title={say("standing.title")}>
            <p>{standing}</p>
          </FoldedNotice>
        )}
        {report.coverage === "partial" && (
          <FoldedNotice kind="warn" title={coverage.title}>
            <p>{coverage.text}</p>
          </FoldedNotice>
        )}
        {report.coverage === "full" && hasOcr && (
          <FoldedNotice kind="info" title={say("coverage.ocrTitle")}>
            <p>{coverage.text}</p>
          </FoldedNotice>
        )}
        {pending !== undefined && (
          <FoldedNotice kind="warn" title={say("pending.title")}>
            <p>{pending}</p>
          </FoldedNotice>
        )}
        {semantic !== undefined &&
          (report.semantic_coverage_reason === "off" ? (
            <FoldedNotice kind="info" title={say("report.meaningOffTitle")} isOpen={isNothingFound}>
              <p>{say("report.meaningOff")}</p>
            </FoldedNotice>
          ) : (
            <FoldedNotice kind="warn" title={say("meaning.title")} isOpen={isNothingFound}>
              <p>{semantic}</p>
            </FoldedNotice>
          ))}
        {report.batch !== null && <OtherMembers batch={report.batch} membersOnly={membersOnly} />}
        {children}
      </div>
    </header>
  );
}

/** The title, which can be edited in place. The children are actions beside it. */
export function ReportTitle({
  check,
  onRenamed,
  children,
}: Renaming & { readonly children?: ComponentChildren }) {
  const [isEditing, setIsEditing] = useState(false);
  const opener = useFocusAfter<HTMLButtonElement>(isEditing);
  return (
    <div class="title-line">
      {isEditing ? (
        <TitleEditor
          title={check.title ?? ""}
          onSave={async (title) => onRenamed(await engine.renameCheck(check.check_id, { title }))}
          onClose={() => setIsEditing(false)}
        />
      ) : (
        <h1 dir="auto">{check.display_title}</h1>
      )}
      <div class="title-actions">
        {!isEditing && (
          <SmallButton ref={opener} onClick={() => setIsEditing(true)}>
            {say("common.rename")}
          </SmallButton>
        )}
        {children}
      </div>
    </div>
  );
}

type ActionsProps = { readonly check: Check; readonly report: Report; readonly filters: Filters };

/**
 * The parameters of an export as the page shows the report, with its review. Filters of the request replace the kept ones.
 * @param language of the own words of an export that has some
 */
function exportSearch(check: Check, filters: Filters, language?: string): string {
  const query = filterQuery(filters);
  if (language !== undefined) query.set("language", language);
  if (check.review !== undefined) {
    query.set("review", "true");
    if (!isFiltered(filters)) query.set("exclude_quotes", "false");
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** The exports, and a new check if the language was detected wrongly or stated by mistake. */
function Actions({ check, report, filters }: ActionsProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { check_id: checkId, query_text, title, language: before } = report;
  const search = exportSearch(check, filters);
  const documentSearch = exportSearch(check, filters, pageLanguage);
  const base = `/v1/checks/${encodeURIComponent(checkId)}`;
  return (
    <>
      {/* Without "download", so that the browser shows why there is none. */}
      <a class="button small" href={`${base}/report.pdf${documentSearch}`}>
        {say("report.pdf")}
      </a>
      <AddToCorpus checkId={checkId} />
      <Menu label={say("report.more")}>
        <a href={`${base}/report.html${documentSearch}`} download>
          {say("report.html")}
        </a>
        <a href={`${base}/passages.csv${search}`} download>
          {say("report.csv")}
        </a>
        <a href={`${base}/report${search}`} download={`report-${checkId}.json`}>
          {say("report.json")}
        </a>
        <Button onClick={() => setIsChoosing(true)}>{say("report.otherLanguage")}</Button>
      </Menu>
      {isChoosing && (
        <LanguageDialog
          title={say("report.otherLanguage")}
          explanation={say("report.readAs", { language: languageName(before) })}
          action={say("report.again")}
          language={before}
          onChosen={async (language) => {
            const { check_id: id } = await engine.submitCheck({ query_text, language, title });
            location.assign(`/checks/${id}`);
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}

/** Adds the text to the corpus, so that later checks find it. */
function AddToCorpus({ checkId }: { readonly checkId: string }) {
  const [url, setUrl] = useState<string>();
  const [fault, setFault] = useState<string>();
  if (url !== undefined)
    return (
      <a class="button small" href={url}>
        {say("report.openInCorpus")}
      </a>
    );
  const add = async () => {
    setFault(undefined);
    try {
      const { document_id: id, is_new: isNew } = await engine.addToCorpus(checkId);
      announce(say(isNew ? "report.added" : "report.hasAlready"));
      setUrl(`/corpus/${id}`);
    } catch (error) {
      setFault(failureLine(failureOf(error, navigator.onLine)));
    }
  };
  return (
    <>
      <SmallButton onClick={add}>{say("report.addToCorpus")}</SmallButton>
      <Fault text={fault} />
    </>
  );
}

type ScoreProps = { readonly report: Report };

function Score({ report }: ScoreProps) {
  const { filters } = report;
  const similarity = shownScore(report);
  const membersOnly = isComparedWithMembersOnly(report);
  return (
    <div class="score" role="status">
      <p class="score-number">{percent(similarity)}</p>
      <div class="score-words">
        {filters !== null && !membersOnly && (
          <p class="filtered">
            {say("report.filtered", {
              pct: percent(similarity),
              unfiltered: percent(filters.unfiltered_similarity_pct),
            })}
          </p>
        )}
        <p>{scoreInWords(report, texts)}</p>
        <Rise report={report} />
        {!membersOnly && <SourceBar report={report} />}
        <Kinds report={report} />
        <MatchGroups report={report} />
        {similarity > 0 && (
          <details class="quiet advice">
            <summary>{say("advice.judgementTitle")}</summary>
            <p>{say("advice.judgement")}</p>
          </details>
        )}
      </div>
    </div>
  );
}

/** How many passages are acknowledged in which way. The filters choose among these groups. */
function MatchGroups({ report }: ScoreProps) {
  const groups = matchGroupsOf(report);
  if (groups.length === 0) return null;
  return (
    <p class="match-groups">
      <span class="quiet">{say("group.title")}: </span>
      {groups.map(({ group, passages, pct }, at) => (
        <span key={group}>
          {at > 0 && " · "}
          {texts.count(passages)} {say(`group.${group}`)} <span class="quiet">({texts.percent(pct)})</span>
        </span>
      ))}
    </p>
  );
}

function Rise({ report }: ScoreProps) {
  const rise = riseInWords(report, texts);
  return rise === undefined ? null : <p class="quiet rise">{rise}</p>;
}

/** A number in a narrower part would be cut. */
const NUMBERED_PCT_MIN = 4;

/** How much each source explains best: a bar for the whole text. The list of sources says the same in words. */
function SourceBar({ report }: ScoreProps) {
  const parts = report.sources
    .filter(({ exclusive_matched_chars: chars }) => chars > 0)
    .toSorted((a, b) => b.exclusive_matched_chars - a.exclusive_matched_chars);
  return (
    <div class="source-bar" aria-hidden="true">
      {parts.map(({ number, title, exclusive_matched_chars: chars }) => {
        const pct = (chars / report.compared_chars) * 100;
        return (
          <span
            key={number}
            class={`c${colourOf(number)}`}
            style={{ width: `${pct}%` }}
            title={say("report.source", { number, title })}
          >
            {pct >= NUMBERED_PCT_MIN && number}
          </span>
        );
      })}
    </div>
  );
}

type BatchPartProps = { readonly batch: NonNullable<Report["batch"]> };

/** The way from a member's report back to its batch. */
function BatchCrumb({ batch: { batch_id: id } }: BatchPartProps) {
  const { value } = useLoaded(id, (signal) => engine.getBatch(id, { limit: 1 }, { signal }));
  return (
    <p class="breadcrumb">
      <a href="/batches">{say("nav.batches")}</a> ›{" "}
      <a href={`/batches/${id}`}>
        {value === undefined ? say("report.batch") : <bdi>{batchName(value)}</bdi>}
      </a>
    </p>
  );
}

type OtherMembersProps = BatchPartProps & { readonly membersOnly: boolean };

/** The other members of the batch that have passages in common with this one, which do not count in the report's figures. */
function OtherMembers({ batch, membersOnly }: OtherMembersProps) {
  const { batch_id, member_id, members, members_total, similarity_pct, is_complete } = batch;
  if (members.length === 0) return null;
  const more = members_total - members.length;
  return (
    <FoldedNotice
      kind="info"
      title={
        membersOnly
          ? say("report.batchTexts")
          : say("report.alsoIn", {
              pct: percent(similarity_pct),
              texts: sayCount("count.otherTexts", members_total),
            })
      }
      isOpen
    >
      {!membersOnly && <p>{say("report.batchNotCounted")}</p>}
      {!is_complete && <p>{say("report.batchRunning")}</p>}
      <ul class="other-members">
        {members.map(({ member_id: other, name, similarity_pct: pct }) => (
          <li key={other}>
            <bdi>{name}</bdi> {percent(pct)} ·{" "}
            <a
              href={`/batches/${batch_id}/pairs/${member_id}/${other}?exclude_quotes=false&exclude_common=false`}
            >
              {say("report.seePair")}
              <span class="hidden-visually">{say("report.withName", { name })}</span>
            </a>
          </li>
        ))}
        {more > 0 && <li>{sayCount("count.more", more)}</li>}
      </ul>
    </FoldedNotice>
  );
}

type MenuProps = { readonly label: string; readonly children: ComponentChildren };

/** Rarely used links and buttons behind one button. It closes after a choice, on Escape, and when the reader turns elsewhere. */
function Menu({ label, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const leave = ({ target }: Event) => {
    if (target instanceof Node && menu.current?.contains(target) === false) close();
  };
  useWindowEvent("pointerdown", leave);
  useWindowEvent("focusin", leave);
  /** Before the choice acts: a dialog that it opens returns the focus to this button, because the choice is hidden by then. */
  const closeAndFocus = () => {
    close();
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || menu.current?.open !== true) return;
        event.stopPropagation();
        closeAndFocus();
      }}
    >
      <summary class="button small">{label}</summary>
      <div class="menu-items" onClickCapture={closeAndFocus}>
        {children}
      </div>
    </details>
  );
}
