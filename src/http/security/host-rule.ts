import { isIP } from "node:net";
import type { Middleware } from "koa";
import { writeProblem } from "../routing/problem.ts";
import type { AppState } from "../routing/route-table.ts";
import { readAddress } from "./client-address.ts";

/** Whether the service answers under a name returned by `hostName`. */
export type HostRule = (name: string) => boolean;

/** For listeners whose content is public. */
export const ANY_HOST: HostRule = () => true;

/**
 * The names under which an instance answers, as a protection against DNS rebinding: if another site's name suddenly
 * resolved to this machine, the browser would take its page for one of this service, and it could read everything.
 * Addresses and `localhost` are always allowed. Beyond the loopback interface, so are names that can't be registered on the
 * internet (a single word, as in container networks; `.local`, `.internal`, `.home.arpa`). Public names must be in `allowed`.
 * @param boundTo the address that the listener is bound to.
 * @param allowed names, `*.example.org` for all below one, or `*` for any.
 */
export function hostRule(boundTo: string, allowed: readonly string[]): HostRule {
  const ownNames = isLoopback(boundTo) ? LOOPBACK_NAMES : PRIVATE_NAMES;
  const listed = allowed.map((entry) => entry.toLowerCase().replace(/\.$/, ""));
  return (name) => isIP(name) !== 0 || ownNames.test(name) || listed.some((entry) => isListed(name, entry));
}

/** Whether a listener bound to this is reachable only from its own machine. */
export function isLoopback(boundTo: string): boolean {
  const address = readAddress(boundTo);
  return address === undefined ? LOOPBACK_NAMES.test(boundTo) : /^(127\.|::1$)/.test(address);
}

/** The name or address in a Host header in lower case, without port, brackets and final dot; undefined if there is none. */
export function hostName(header: string): string | undefined {
  const [, address, name] = HOST_HEADER.exec(header) ?? [];
  return address ?? name?.replace(/\.$/, "").toLowerCase();
}

const HOST_HEADER = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{0,5})?$/i;

/** Names that browsers resolve to the loopback interface themselves. */
const LOOPBACK_NAMES = /^(.+\.)?localhost$/;

/** A single word, or below a domain that is reserved for private use (RFC 6762, RFC 8375, ICANN 2024). */
const PRIVATE_NAMES = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;

function isListed(name: string, entry: string): boolean {
  if (entry === "*") return true;
  return entry.startsWith("*.") ? name.endsWith(entry.slice(1)) : name === entry;
}

/**
 * Refuses requests for other host names with 421, and with 400 those whose host is not clear: HTTP/1.1 without a Host, two of
 * them, or a target with another host, which a proxy on the way may prefer (RFC 9112, section 3.2). The probes answer under
 * every name, since orchestrators use names of their own. HTTP/1.0 requests without a Host are served: no browser sends them.
 */
export function refuseForeignHosts(isOurs: HostRule): Middleware<AppState> {
  return (ctx, next) => {
    const malformed = (detail: string) => writeProblem(ctx, "malformed_request", detail);
    const header = ctx.get("Host");
    if ((ctx.req.headersDistinct.host?.length ?? 0) > 1)
      return malformed("The request has several Host headers.");
    if (header === "")
      return ctx.req.httpVersion === "1.0" ? next() : malformed("The request has no Host header.");
    const name = hostName(header);
    if (name === undefined) return malformed("The Host header has no name or address.");
    if (PROBES.has(ctx.state.route) || isOurs(name)) {
      if (isTargetOf(ctx.originalUrl, header)) return next();
      return malformed("The target names another host than the Host header.");
    }
    const detail = `The service does not answer under the name ${name}. Use its address, or have its operator add the name to ALLOWED_HOSTS.`;
    writeProblem(ctx, "host_not_allowed", detail);
  };
}

/** Whether the target is a path, or an address of this host in the absolute form that proxies get. */
function isTargetOf(target: string, host: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:/i.test(target)) return true;
  const own = `http://${host}`;
  return URL.canParse(target) && URL.canParse(own) && new URL(target).host === new URL(own).host;
}

const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);
