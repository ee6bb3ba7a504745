import { ConfigError } from "../config.ts";

/** Class 28 (who asks), class 3D (no such database) and 42501 (not allowed): what a wrong URL meets. */
const REFUSED_SQLSTATE = /^(28|3D|42501)/;

/**
 * For the first calls of a start: gives what to do about a PostgreSQL that answers but doesn't let us in.
 * @param setting what holds the URL.
 */
export function rethrowRefused(setting: "DATABASE_URL" | "STATISTICS_DATABASE_URL") {
  return (error: unknown): never => {
    if (error instanceof Error && "code" in error && REFUSED_SQLSTATE.test(String(error.code))) {
      const message = `PostgreSQL refuses us: ${error.message}. Check the database, the user and the password in ${setting}.`;
      throw new ConfigError(message, { cause: error });
    }
    throw error;
  };
}
