import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../platform/postgres/database.ts";

/** What a reader may see and do. */
export type ViewerPermissions = {
  /** The full texts of other submissions. */
  readonly seesSubmittedTexts: boolean;
  /** Whose work a source is. */
  readonly seesSubmissionNames: boolean;
  readonly savesChanges: boolean;
};

/** The time in which a new link has to be opened: a browser follows it at once. */
const LINK_SECONDS = 300;

/** How long a report can be read after its link was opened. */
export const SESSION_SECONDS = 4 * 3_600;

const TOKEN_BYTES = 32;

/** What a link leads to; `session` only where it was just opened. */
export type OpenedLink = {
  readonly submissionId: string;
  readonly permissions: ViewerPermissions;
  readonly session: string | undefined;
};

const FACTS = 'submission_id as "submissionId", permissions';

/**
 * Links to one report each. A link can be opened once and within five minutes. Then it works only together with the session,
 * which the browser that opened it keeps as a cookie: a link in a history or a log opens nothing.
 */
export class ViewerLinks {
  async create(db: Queryable, submissionId: string, permissions: ViewerPermissions): Promise<string> {
    const link = newToken();
    await db.query(
      `insert into core_api_viewer_links (link_sha256, submission_id, permissions, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))`,
      [sha256(link), submissionId, JSON.stringify(permissions), LINK_SECONDS],
    );
    return link;
  }

  /** Undefined for a link that is unknown, expired, or open elsewhere. */
  async open(db: Queryable, link: string, session: string | undefined): Promise<OpenedLink | undefined> {
    const resumed = await this.resume(db, link, session);
    if (resumed !== undefined) return resumed;
    const own = newToken();
    const [opened] = await db.query<Omit<OpenedLink, "session">>(
      `update core_api_viewer_links set session_sha256 = $2, expires_at = now() + make_interval(secs => $3)
        where link_sha256 = $1 and session_sha256 is null and expires_at > now() returning ${FACTS}`,
      [sha256(link), sha256(own), SESSION_SECONDS],
    );
    return opened && { ...opened, session: own };
  }

  /** With the session of an open link only. The hashes are compared by the database: they tell nothing about the tokens. */
  async resume(db: Queryable, link: string, session: string | undefined): Promise<OpenedLink | undefined> {
    if (session === undefined) return undefined;
    const [row] = await db.query<Omit<OpenedLink, "session">>(
      `select ${FACTS} from core_api_viewer_links where link_sha256 = $1 and session_sha256 = $2 and expires_at > now()`,
      [sha256(link), sha256(session)],
    );
    return row && { ...row, session: undefined };
  }

  async deleteExpired(db: Queryable): Promise<void> {
    await db.query("delete from core_api_viewer_links where expires_at < now()");
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function sha256(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
