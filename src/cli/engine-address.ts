import { readConfig } from "../platform/config.ts";
import { UsageError } from "../platform/terminal/command.ts";

export type EngineAddress = {
  /** Without user and password, so that it may be shown. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Where the service is: as given, or as `ENGINE_URL` says, or where `HOST` and `ENGINE_PORT` let it listen on this machine.
 * A user and a password in the URL are sent as Basic authentication, for a proxy that asks for it.
 * @throws UsageError, ConfigError
 */
export function engineAddress(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): EngineAddress {
  const [name, text] =
    given === undefined
      ? ["ENGINE_URL", environment.ENGINE_URL?.trim() || ownAddress(environment)]
      : ["--url", given];
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${name} must be a URL that starts with http:// or https://, and is "${text}".`);
  const url = new URL(text);
  const headers = credentials(name, url);
  url.username = "";
  url.password = "";
  return { baseUrl: url.href.replace(/\/+$/, ""), headers };
}

function credentials(name: string, { username, password }: URL): EngineAddress["headers"] {
  if (username === "" && password === "") return {};
  try {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { Authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  } catch {
    throw new UsageError(`A percent sign in the user or password of ${name} has to be written as %25.`);
  }
}

/** What a service listens on may be every address of the machine; this one reaches it from here. */
function ownAddress({ HOST, ENGINE_PORT }: Readonly<Record<string, string | undefined>>): string {
  const { host, enginePort } = readConfig({ HOST, ENGINE_PORT });
  if (enginePort === 0)
    throw new UsageError("With ENGINE_PORT=0 the service has a port of its own choice: name it with --url.");
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${enginePort}`;
}
