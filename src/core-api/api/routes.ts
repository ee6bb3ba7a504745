import { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { declaredBytes } from "../../http/input/parse.ts";
import { withOwnBody } from "../../http/input/upload.ts";
import { type Operation, type Route, routesFor } from "../../http/routing/route.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { CoreApiError, reportNotComplete, submissionNotFound } from "../core-api-error.ts";
import type { DeleteSubmissions } from "../delete-submissions.ts";
import type { AcceptanceStore, Eula } from "../eula.ts";
import { fileNameOf } from "../file-name.ts";
import { presentAttachment, presentSimilarity, presentSubmission } from "../present.ts";
import type { Spool } from "../spool.ts";
import type { ReportRequest, Submission } from "../submission.ts";
import type { SubmissionStore } from "../submission-store.ts";
import { DOWN, type Submissions, UPLOAD_BYTES_MAX, unlessDown } from "../submissions.ts";
import type { Viewer } from "../viewer.ts";
import type { ViewerPermissions } from "../viewer-links.ts";
import type { EventStore, Webhook } from "../webhooks/event-store.ts";
import type { WebhookHosts } from "../webhooks/webhook-hosts.ts";
import { keyNameOf } from "./authenticate.ts";
import * as schema from "./schema.ts";

type CoreApiRouteParts = {
  readonly database: Database;
  readonly submissions: Submissions;
  readonly store: SubmissionStore;
  readonly acceptances: AcceptanceStore;
  readonly events: EventStore;
  readonly deleteSubmissions: DeleteSubmissions;
  readonly indexSubmission: (submission: Submission) => Promise<void>;
  readonly viewer: Viewer;
  readonly eula: Eula;
  readonly spool: Spool;
  readonly hosts: WebhookHosts;
  /** Without a slash at its end. */
  readonly publicUrl: string;
};

/** Clients keep one webhook each, and replace it. */
const WEBHOOKS_MAX = 50;

/** A PDF is made when it is fetched; its event only has to come after the answer. */
const PDF_EVENT_WAIT_MS = 3_000;

/** All of them are compared with each text of the group. */
const ATTACHMENTS_MAX = 100;

const route = routesFor<CoreApiRouteParts>();

/** The parts of an operation that are no schemas; the overview of the document tells the rest. Tags are the first parts of paths. */
function op<const M extends Operation["method"]>(
  method: M,
  path: string,
  operationId: string,
  summary: string,
) {
  const [, tag = ""] = path.split("/");
  const texts = { operationId, summary, description: `${summary}.`, tags: [tag] };
  return { method, path: `/api/v1${path}`, ...texts, errors: [] } as const;
}

const json = <S extends z.ZodType>(schema: S) =>
  ({ contentType: "application/json", schema, examples: {} }) as const;
const answer = <S extends z.ZodType>(schema: S) => ({ description: "Done.", schema });
const RAW_BODY = { contentType: "application/octet-stream", examples: {} } as const;

export const coreApiRoutes: readonly Route<CoreApiRouteParts>[] = [
  route(
    {
      ...op("get", "/features-enabled", "getFeatures", "What this service does"),
      responses: { 200: answer(schema.Features) },
    },
    (_, { eula }) => featuresOf(eula.isRequired),
  ),
  route(
    {
      ...op("get", "/eula/:version", "getEula", "A version of the terms"),
      request: { params: schema.EulaParams },
      responses: { 200: answer(schema.EulaVersion) },
    },
    ({ params }, { eula, publicUrl }) => {
      assertVersion(params.version, eula);
      const { version, validFrom } = eula;
      return {
        version,
        valid_from: validFrom.toISOString(),
        valid_until: null,
        // Some clients replace the language in it.
        url: `${publicUrl}/eula/en-US/${version}.html`,
        available_languages: ["en-US"],
      };
    },
  ),
  route(
    {
      ...op("post", "/eula/:version/accept", "acceptEula", "Note that a user accepts the terms"),
      request: { params: schema.EulaParams, body: json(schema.AcceptBody) },
      responses: { 200: answer(schema.AcceptedEula) },
    },
    async ({ ctx, params, body }, { eula, acceptances, database }) => {
      assertVersion(params.version, eula);
      const sent = new Date(body.accepted_timestamp ?? Number.NaN);
      const acceptedAt = Number.isNaN(sent.getTime()) ? new Date() : sent;
      const { user_id: userId, language = null } = body;
      const { version } = eula;
      await acceptances.add(database, { keyName: keyNameOf(ctx), userId, version, language, acceptedAt });
      return presentAcceptance({ userId, version, language, acceptedAt });
    },
  ),
  route(
    {
      ...op(
        "get",
        "/eula/:version/accept/:user_id",
        "getAcceptance",
        "Whether a user has accepted the terms",
      ),
      request: { params: schema.AcceptanceParams },
      responses: { 200: answer(schema.AcceptedEula) },
    },
    async ({ ctx, params }, { eula, acceptances, database }) => {
      assertVersion(params.version, eula);
      const found = await acceptances.find(database, keyNameOf(ctx), [params.user_id], eula.version);
      if (found === undefined) throw new CoreApiError("not_found", "The user has not accepted the terms.");
      return presentAcceptance(found);
    },
  ),
  route(
    {
      ...op("post", "/submissions", "createSubmission", "Announce a text"),
      request: { body: json(schema.SubmissionBody) },
      responses: { 201: answer(schema.SubmissionAnswer) },
    },
    async ({ ctx, body }, { submissions }) => {
      const { metadata, eula } = body;
      const [firstOwner] = metadata?.owners ?? [];
      const created = await submissions.create({
        keyName: keyNameOf(ctx),
        attachmentOf: null,
        owner: body.owner ?? firstOwner?.id ?? null,
        submitter: body.submitter ?? metadata?.submitter?.id ?? null,
        groupId: metadata?.group?.id ?? null,
        contextId: metadata?.group_context?.id ?? null,
        title: body.title ?? "",
        eula: eula ? { version: eula.version ?? null, language: eula.language ?? null } : undefined,
      });
      return presentSubmission(created);
    },
  ),
  route(
    {
      ...op("put", "/submissions/:id/original", "uploadOriginal", "Upload the file"),
      request: { params: schema.SubmissionParams, body: RAW_BODY },
      responses: { 202: answer(schema.Message) },
    },
    ({ ctx, params }, parts) => receive(ctx, params.id, parts),
  ),
  route(
    {
      ...op("get", "/submissions/:id", "getSubmission", "The state of a submission"),
      request: { params: schema.SubmissionParams },
      responses: { 200: answer(schema.SubmissionAnswer) },
    },
    async ({ ctx, params }, { submissions }) =>
      presentSubmission(await submissions.find(keyNameOf(ctx), params.id)),
  ),
  route(
    {
      ...op("delete", "/submissions/:id", "deleteSubmission", "Delete a submission"),
      request: { params: schema.SubmissionParams },
      responses: { 200: answer(schema.Message) },
    },
    async ({ ctx, params }, { deleteSubmissions, spool }) => {
      await deleteSubmissions.one(keyNameOf(ctx), params.id, spool);
      return { message: "Deleted" };
    },
  ),
  route(
    {
      ...op("put", "/submissions/:id/similarity", "requestSimilarity", "Request a report"),
      request: {
        params: schema.SubmissionParams,
        body: json(schema.SimilarityBody),
      },
      responses: { 202: answer(schema.Message) },
    },
    async ({ ctx, params, body }, { submissions }) => {
      await submissions.requestReport(keyNameOf(ctx), params.id, toReportRequest(body));
      return { message: "The report is being made." };
    },
  ),
  route(
    {
      ...op("get", "/submissions/:id/similarity", "getSimilarity", "The scores of a report"),
      request: { params: schema.SubmissionParams },
      responses: { 200: answer(schema.SimilarityAnswer) },
    },
    async ({ ctx, params: { id } }, parts) => {
      // It was accepted while the store did not answer.
      const isKept = (await parts.spool.find(keyNameOf(ctx), id, "similarity")) !== undefined;
      if (isKept) return { submission_id: id, status: "PROCESSING" } as const;
      const found = await known(ctx, id, parts);
      if (found.request === null) throw new CoreApiError("not_found", "No report was requested.");
      return presentSimilarity(found);
    },
  ),
  route(
    {
      ...op("post", "/submissions/:id/viewer-url", "createViewerUrl", "A link to the report"),
      request: {
        params: schema.SubmissionParams,
        body: json(schema.ViewerBody),
      },
      responses: { 200: answer(schema.ViewerAnswer) },
    },
    async ({ ctx, params, body }, { viewer, publicUrl }) => {
      const link = await viewer.createLink(keyNameOf(ctx), params.id, permissionsOf(body));
      return { viewer_url: `${publicUrl}/viewer/${link}` };
    },
  ),
  route(
    {
      ...op("post", "/submissions/:id/similarity/pdf", "requestPdf", "Request the report as a PDF"),
      request: { params: schema.SubmissionParams, body: json(schema.PdfBody) },
      responses: { 202: answer(schema.PdfAnswer) },
    },
    async ({ ctx, params }, parts) => {
      const found = await known(ctx, params.id, parts);
      const id = pdfIdOf(found);
      if (id === undefined) throw reportNotComplete();
      const body = { id, submission_id: params.id, status: "SUCCESS" };
      const dueAt = new Date(Date.now() + PDF_EVENT_WAIT_MS);
      const event = { type: "PDF_STATUS", body, dueAt } as const;
      await parts.database.transaction((transaction) => parts.events.record(transaction, found, event));
      return { id };
    },
  ),
  route(
    {
      ...op(
        "get",
        "/submissions/:id/similarity/pdf/:pdf_id/status",
        "getPdfStatus",
        "Whether a PDF can be fetched",
      ),
      request: { params: schema.PdfParams },
      responses: { 200: answer(schema.PdfStatus) },
    },
    async ({ ctx, params }, parts) => {
      const isMade = isPdfMade(await known(ctx, params.id, parts), params.pdf_id);
      return { status: isMade ? "SUCCESS" : "PENDING" } as const;
    },
  ),
  route(
    {
      ...op("get", "/submissions/:id/similarity/pdf/:pdf_id", "getPdf", "Fetch a PDF"),
      request: { params: schema.PdfParams },
      responses: {
        200: { description: "The PDF.", contentType: "application/pdf" },
      },
    },
    async ({ ctx, params }, parts) => {
      if (!isPdfMade(await known(ctx, params.id, parts), params.pdf_id)) throw reportNotComplete();
      ctx.body = Buffer.from(await parts.viewer.pdf(params.id, clientGone(ctx)));
      ctx.type = "application/pdf";
    },
  ),
  route(
    {
      ...op("get", "/submissions/:id/index", "getIndexState", "Whether later texts are compared with it"),
      request: { params: schema.SubmissionParams },
      responses: { 200: answer(schema.IndexState) },
    },
    async ({ ctx, params }, parts) => ({
      is_indexed: (await known(ctx, params.id, parts)).documentId !== null,
    }),
  ),
  route(
    {
      ...op("put", "/submissions/:id/index", "setIndexState", "Compare later texts with it, or no longer"),
      request: { params: schema.SubmissionParams, body: { ...json(schema.IndexState), isOptional: true } },
      responses: { 200: answer(schema.IndexState) },
    },
    async ({ ctx, params, body }, parts) => {
      const found = await known(ctx, params.id, parts);
      if (found.status !== "COMPLETE") throw new CoreApiError("conflict", found.errorCode ?? found.status);
      const isIndexed = body?.is_indexed ?? true;
      if (isIndexed) await parts.indexSubmission(found);
      else await parts.deleteSubmissions.fromIndex(found);
      return { is_indexed: isIndexed };
    },
  ),
  route(
    {
      ...op(
        "post",
        "/groups/:group_id/attachments",
        "createAttachment",
        "Announce a file that was handed out",
      ),
      request: { params: schema.GroupParams, body: json(schema.AttachmentBody) },
      responses: { 201: answer(schema.PdfAnswer) },
    },
    async ({ ctx, params, body }, { submissions, store, database }) => {
      const keyName = keyNameOf(ctx);
      const existing = await unlessDown(() => store.listAttachments(database, keyName, params.group_id));
      if (existing !== DOWN && existing.length >= ATTACHMENTS_MAX)
        throw new CoreApiError("bad_request", `A group has at most ${ATTACHMENTS_MAX} attachments.`);
      const { submissionId: id } = await submissions.create({
        ...{ keyName, attachmentOf: params.group_id, title: body.title ?? "" },
        ...{ owner: null, submitter: null, groupId: null, contextId: null, eula: undefined },
      });
      return { id };
    },
  ),
  route(
    {
      ...op(
        "get",
        "/groups/:group_id/attachments",
        "listAttachments",
        "The files that were handed out to a group",
      ),
      request: { params: schema.GroupParams },
      responses: { 200: answer(schema.AttachmentList) },
    },
    async ({ ctx, params }, { store, database }) => ({
      attachments: (await store.listAttachments(database, keyNameOf(ctx), params.group_id)).map(
        presentAttachment,
      ),
    }),
  ),
  route(
    {
      ...op("get", "/groups/:group_id/attachments/:id", "getAttachment", "The state of an attachment"),
      request: { params: schema.AttachmentParams },
      responses: { 200: answer(schema.AttachmentAnswer) },
    },
    async ({ ctx, params }, parts) => presentAttachment(await known(ctx, params.id, parts, params.group_id)),
  ),
  route(
    {
      ...op(
        "put",
        "/groups/:group_id/attachments/:id/original",
        "uploadAttachment",
        "Upload a file that was handed out",
      ),
      request: { params: schema.AttachmentParams, body: RAW_BODY },
      responses: { 202: answer(schema.Message) },
    },
    async ({ ctx, params }, parts) => {
      await known(ctx, params.id, parts, params.group_id);
      return receive(ctx, params.id, parts);
    },
  ),
  route(
    {
      ...op("delete", "/groups/:group_id/attachments/:id", "deleteAttachment", "Delete an attachment"),
      request: { params: schema.AttachmentParams },
      responses: { 204: { description: "It is deleted." } },
    },
    async ({ ctx, params }, parts) => {
      await known(ctx, params.id, parts, params.group_id);
      await parts.deleteSubmissions.one(keyNameOf(ctx), params.id, parts.spool);
    },
  ),
  route(
    {
      ...op("post", "/webhooks", "createWebhook", "Set an address that gets events"),
      request: {
        body: json(schema.WebhookBody),
      },
      responses: { 201: answer(schema.WebhookAnswer) },
    },
    async ({ ctx, body }, { events, hosts, database }) => {
      assertTarget(body.url, body.allow_insecure === true, hosts);
      const keyName = keyNameOf(ctx);
      const { url, event_types: eventTypes, signing_secret: signingSecret, description = null } = body;
      const existing = await events.listWebhooks(database, keyName);
      if (existing.length >= WEBHOOKS_MAX && !existing.some((one) => one.url === url))
        throw new CoreApiError("bad_request", `A key has at most ${WEBHOOKS_MAX} webhooks.`);
      const allowInsecure = body.allow_insecure === true;
      const webhookToAdd = { url, description, eventTypes, allowInsecure, signingSecret };
      return presentWebhook(await events.replaceWebhook(database, keyName, webhookToAdd));
    },
  ),
  route(
    {
      ...op("get", "/webhooks", "listWebhooks", "The webhooks of this key"),
      responses: { 200: answer(z.array(schema.WebhookAnswer)) },
    },
    async ({ ctx }, { events, database }) =>
      (await events.listWebhooks(database, keyNameOf(ctx))).map(presentWebhook),
  ),
  route(
    {
      ...op("get", "/webhooks/:id", "getWebhook", "A webhook"),
      request: { params: schema.WebhookParams },
      responses: { 200: answer(schema.WebhookAnswer) },
    },
    async ({ ctx, params }, { events, database }) => {
      const all = await events.listWebhooks(database, keyNameOf(ctx));
      return presentWebhook(foundWebhook(all.find(({ webhookId }) => webhookId === params.id)));
    },
  ),
  route(
    {
      ...op("patch", "/webhooks/:id", "changeWebhook", "Change a webhook"),
      request: { params: schema.WebhookParams, body: json(schema.WebhookChange) },
      responses: { 200: answer(schema.WebhookAnswer) },
    },
    async ({ ctx, params, body }, { events, hosts, database }) => {
      const keyName = keyNameOf(ctx);
      const all = await events.listWebhooks(database, keyName);
      const earlier = foundWebhook(all.find(({ webhookId }) => webhookId === params.id));
      const changed = {
        ...earlier,
        url: body.url ?? earlier.url,
        description: body.description === undefined ? earlier.description : body.description,
        eventTypes: body.event_types ?? earlier.eventTypes,
        allowInsecure: body.allow_insecure ?? earlier.allowInsecure,
      };
      assertTarget(changed.url, changed.allowInsecure, hosts);
      if (all.some(({ url, webhookId }) => url === changed.url && webhookId !== params.id))
        throw new CoreApiError("conflict", "Another webhook has this address.");
      const stored = await events.changeWebhook(database, keyName, changed, body.signing_secret);
      return presentWebhook(foundWebhook(stored));
    },
  ),
  route(
    {
      ...op("delete", "/webhooks/:id", "deleteWebhook", "Delete a webhook"),
      request: { params: schema.WebhookParams },
      responses: { 204: { description: "It is deleted." } },
    },
    async ({ ctx, params }, { events, database }) => {
      const isDeleted = await events.deleteWebhook(database, keyNameOf(ctx), params.id);
      foundWebhook(isDeleted ? {} : undefined);
    },
  ),
  route(
    {
      ...op("post", "/log", "ignoreLog", "The error log of a client"),
      path: "/remote-logging/api/log",
      responses: { 200: answer(schema.Message) },
    },
    () => ({ message: "Ignored" }),
  ),
];

type Ctx = Parameters<typeof keyNameOf>[0];

/** A submission, or an attachment of a group, of the key of a request. Those that the spool holds are not known yet. */
async function known(
  ctx: Ctx,
  id: string,
  { store, database }: CoreApiRouteParts,
  attachmentOf: string | null = null,
): Promise<Submission> {
  const found = await store.find(database, keyNameOf(ctx), id);
  if (found === undefined || found.attachmentOf !== attachmentOf) throw submissionNotFound();
  return found;
}

async function receive(ctx: Ctx, id: string, { submissions }: CoreApiRouteParts) {
  if (declaredBytes(ctx.req) > UPLOAD_BYTES_MAX) throw new CoreApiError("too_large", "TOO_MUCH_TEXT");
  const filename = fileNameOf(ctx.get("Content-Disposition"), "upload");
  await submissions.upload(keyNameOf(ctx), id, filename, withOwnBody(ctx).req);
  return { message: "The file is being read." };
}

function featuresOf(isEulaRequired: boolean) {
  return {
    similarity: {
      viewer_modes: { match_overview: true, all_sources: true },
      generation_settings: {
        search_repositories: ["SUBMITTED_WORK", "PUBLICATION", "INTERNET"],
        submission_auto_excludes: true,
      },
      view_settings: {
        ...{ exclude_quotes: true, exclude_bibliography: true, exclude_small_matches: true },
        ...{ exclude_submitted_works: true, exclude_citations: false, exclude_abstract: false },
        ...{ exclude_methods: false, exclude_custom_sections: false, exclude_preprints: false },
        ...{ exclude_internet: false, exclude_publications: false, exclude_crossref: false },
        ...{ exclude_crossref_posted_content: false, exclude_small_sources: false },
      },
    },
    tenant: { require_eula: isEulaRequired },
    product_name: "Similarity Check",
    access_options: ["CORE_API"],
  };
}

function assertVersion(version: string, eula: Eula): void {
  if (version !== "latest" && version !== eula.version)
    throw new CoreApiError("not_found", "There is no such version of the terms of use.");
}

type ShownAcceptance = {
  readonly userId: string;
  readonly version: string;
  readonly language: string | null;
  readonly acceptedAt: Date;
};

function presentAcceptance({ userId, version, language, acceptedAt }: ShownAcceptance) {
  return {
    user_id: userId,
    accepted_timestamp: acceptedAt.toISOString(),
    language: language ?? "en-US",
    version,
  };
}

/** Repositories hold what was submitted, or what was not; a list without names asks for all. */
const SUBMITTED_WORKS = ["SUBMITTED_WORK", "PRIVATE"];

function toReportRequest(body: z.output<typeof schema.SimilarityBody>): ReportRequest {
  const { indexing_settings: indexing, generation_settings: generation, view_settings: view } = body;
  const repositories = generation?.search_repositories ?? [];
  const small = view?.exclude_small_matches;
  return {
    addToIndex: indexing?.add_to_index === true,
    selfMatchingScope: generation?.auto_exclude_self_matching_scope ?? "ALL",
    withoutSubmittedWorks:
      view?.exclude_submitted_works === true ||
      (repositories.length > 0 && !repositories.some((name) => SUBMITTED_WORKS.includes(name))),
    leaveOut: generation?.submission_auto_excludes ?? [],
    view: {
      excludeQuotes: view?.exclude_quotes === true,
      excludeBibliography: view?.exclude_bibliography === true,
      minWords: typeof small === "number" ? small : 0,
      excludeSources: [],
    },
  };
}

/** A student sees only what the client allows; others see what it does not forbid. */
function permissionsOf(body: z.output<typeof schema.ViewerBody>): ViewerPermissions {
  const {
    viewer_default_permission_set: role = "UNDEFINED",
    viewer_permissions: given,
    similarity: asked,
  } = body;
  const byDefault = ["ADMINISTRATOR", "EDITOR", "INSTRUCTOR", "USER"].includes(role ?? "");
  return {
    seesSubmittedTexts: given?.may_view_submission_full_source ?? byDefault,
    seesSubmissionNames: given?.may_view_match_submission_info ?? byDefault,
    savesChanges:
      asked?.view_settings?.save_changes === true && (given?.may_view_save_viewer_changes ?? byDefault),
  };
}

function pdfIdOf({ checkId, reportStatus }: Submission): string | undefined {
  return reportStatus === "COMPLETE" && checkId !== null ? checkId : undefined;
}

/** Not while a further report is being made. @throws CoreApiError `not_found` */
function isPdfMade(submission: Submission, id: string): boolean {
  if (submission.checkId !== id) throw new CoreApiError("not_found", "There is no PDF with this id.");
  return pdfIdOf(submission) !== undefined;
}

function assertTarget(address: string, allowInsecure: boolean, hosts: WebhookHosts): void {
  const refuse = (message: string) => new CoreApiError("bad_request", message);
  if (!URL.canParse(address)) throw refuse("The address is not a URL.");
  const url = new URL(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowInsecure))
    throw refuse("The address must begin with https:, or with http: if allow_insecure is true.");
  if (url.username !== "" || url.password !== "") throw refuse("The address must not hold a password.");
  if (!hosts.isListed(url))
    throw refuse(
      "The host of the address is not one of those that the operator lists in CORE_API_WEBHOOK_HOSTS.",
    );
}

function foundWebhook<T>(found: T | undefined): T {
  if (found === undefined) throw new CoreApiError("not_found", "There is no webhook with this id.");
  return found;
}

function presentWebhook({ webhookId, url, description, createdAt, eventTypes, allowInsecure }: Webhook) {
  return {
    id: webhookId,
    url,
    ...(description !== null && { description }),
    created_time: createdAt.toISOString(),
    event_types: eventTypes,
    allow_insecure: allowInsecure,
  };
}
