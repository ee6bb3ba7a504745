import type { Middleware } from "koa";
import { toProblem, writeProblem } from "../problem.ts";
import type { AppState } from "../request-identity.ts";
import { type HostRule, hostName } from "./host-rule.ts";

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
