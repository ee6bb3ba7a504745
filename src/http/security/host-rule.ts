import { isIP } from "node:net";
import type { Middleware } from "koa";
import { toProblem, writeProblem } from "../problem.ts";
import type { AppState } from "../routing.ts";
import { readAddress } from "./client-address.ts";

/** Whether the service answers under a name, as `hostName` gives it. */
export type HostRule = (name: string) => boolean;

/** For what holds nothing that is not meant for everybody. */
export const ANY_HOST: HostRule = () => true;

/**
 * The names under which an instance answers, against DNS rebinding: a page of a stranger's site, whose name suddenly leads
 * to this machine, would otherwise be a page of this service to the browser and could read everything.
 * Addresses and `localhost` always count, as nobody else can have a page there. Beyond the loopback interface so does
 * every name that can't be had on the internet (one word, as containers and their neighbours have, `.local`, `.internal`,
 * `.home.arpa`). A name from the internet's DNS counts only when `allowed` has it.
 * @param boundTo what the listener is bound to.
 * @param allowed names, `*.example.org` for all below one, or `*` for any.
 */
export function hostRule(boundTo: string, allowed: readonly string[]): HostRule {
  const ownNames = isLoopback(boundTo) ? LOOPBACK_NAMES : PRIVATE_NAMES;
  const listed = allowed.map((entry) => entry.toLowerCase().replace(/\.$/, ""));
  return (name) => isIP(name) !== 0 || ownNames.test(name) || listed.some((entry) => isListed(name, entry));
}

/** Whether a listener that is bound to this is reached from its own machine alone. */
export function isLoopback(boundTo: string): boolean {
  const address = readAddress(boundTo);
  return address === undefined ? LOOPBACK_NAMES.test(boundTo) : /^(127\.|::1$)/.test(address);
}

/**
 * The name or address in a Host header, without port, brackets, a final dot and capitals; undefined where there is none.
 */
export function hostName(header: string): string | undefined {
  const [, address, name] = HOST_HEADER.exec(header) ?? [];
  return address ?? name?.replace(/\.$/, "").toLowerCase();
}

const HOST_HEADER = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{0,5})?$/i;

/** What browsers resolve to the loopback interface without asking a server. */
const LOOPBACK_NAMES = /^(.+\.)?localhost$/;

/** One word, or below a name that the internet's DNS has promised never to give away (RFC 6762, RFC 8375, ICANN 2024). */
const PRIVATE_NAMES = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;

function isListed(name: string, entry: string): boolean {
  if (entry === "*") return true;
  return entry.startsWith("*.") ? name.endsWith(entry.slice(1)) : name === entry;
}

/**
 * Refuses requests for a name that is not the service's, with 421, and those of HTTP/1.1 without any, with 400.
 * The probes answer under every name: they hold nothing, and what asks them may have a name of its own for us. So does an
 * HTTP/1.0 request without a Host, which no browser sends.
 */
export function refuseForeignHosts(isOurs: HostRule): Middleware<AppState> {
  return (ctx, next) => {
    const header = ctx.get("Host");
    if (header === "") {
      if (ctx.req.httpVersion === "1.0") return next();
      return writeProblem(ctx, toProblem("malformed_request", "The request has no Host header."));
    }
    const name = hostName(header);
    if (name === undefined) {
      return writeProblem(ctx, toProblem("malformed_request", "The Host header holds no name or address."));
    }
    if (PROBES.has(ctx.state.route) || isOurs(name)) return next();
    const detail = `The service does not answer under the name ${name}. Use its address, or have its operator add the name to ALLOWED_HOSTS.`;
    writeProblem(ctx, toProblem("host_not_allowed", detail));
  };
}

const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);
