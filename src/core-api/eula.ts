import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "../platform/domain-error.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Queryable } from "../platform/postgres/database.ts";

/** The terms of the operator, which users accept before they submit; or none. */
export type Eula = {
  readonly version: string;
  readonly validFrom: Date;
  readonly text: string;
  readonly isRequired: boolean;
};

/** Clients ask for the terms even where none have to be accepted, and fail without an answer. */
const NO_EULA: Eula = {
  version: "v1",
  validFrom: new Date("2026-01-01T00:00:00Z"),
  text: "There are no terms to accept.",
  isRequired: false,
};

/** Another text is another version, which users have to accept again. @throws ConfigError when the file can't be read. */
export function readEula(path: string | undefined): Eula {
  if (path === undefined) return NO_EULA;
  try {
    const text = readFileSync(path, "utf8");
    const version = `v${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
    return { version, validFrom: statSync(path).mtime, text, isRequired: true };
  } catch (cause) {
    throw new ConfigError(`CORE_API_EULA_FILE: ${path} can't be read (${errorMessage(cause)})`, { cause });
  }
}

type Acceptance = {
  readonly keyName: string;
  readonly userId: string;
  readonly version: string;
  readonly language: string | null;
  readonly acceptedAt: Date;
};

/** Who has accepted which version. */
export class AcceptanceStore {
  async add(db: Queryable, { keyName, userId, version, language, acceptedAt }: Acceptance): Promise<void> {
    await db.query(
      `insert into core_api_eula_acceptances (key_name, user_id, version, language, accepted_at)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [keyName, userId, version, language, acceptedAt],
    );
  }

  async find(db: Queryable, keyName: string, userIds: readonly string[], version: string) {
    const [row] = await db.query<Acceptance>(
      `select key_name as "keyName", user_id as "userId", version, language, accepted_at as "acceptedAt"
         from core_api_eula_acceptances where key_name = $1 and user_id = any($2) and version = $3 limit 1`,
      [keyName, userIds, version],
    );
    return row;
  }

  async deleteOf(db: Queryable, userId: string, keyName: string | undefined): Promise<number> {
    const rows = await db.query(
      "delete from core_api_eula_acceptances where user_id = $1 and ($2::text is null or key_name = $2) returning 1",
      [userId, keyName],
    );
    return rows.length;
  }
}
