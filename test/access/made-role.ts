import { randomBytes } from "node:crypto";
import pg from "pg";

/** Runs statements as the tests' own superuser. */
export async function asSuperuser<R extends pg.QueryResultRow>(
  databaseUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<R>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The name of a role that no other test has, its password, and how it reaches a database. */
export function roleFor(databaseUrl: string) {
  const name = `similaritytest_${Date.now()}_${randomBytes(3).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return { name, password, url: url.href };
}

/** Makes the role that reads statistics where the server does not have it; it can't log in, and stays. */
export async function withReaderRole(databaseUrl: string): Promise<void> {
  const found = await asSuperuser(
    databaseUrl,
    "select 1 from pg_roles where rolname = 'similarity_statistics'",
  );
  if (found.length === 0) await asSuperuser(databaseUrl, "create role similarity_statistics");
}

/** Removes a role with all rights that it was given in this database. */
export async function dropRole(databaseUrl: string, name: string): Promise<void> {
  await asSuperuser(databaseUrl, `drop owned by ${name} cascade`);
  await asSuperuser(databaseUrl, `drop role ${name}`);
}
