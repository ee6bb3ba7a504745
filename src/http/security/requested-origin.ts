import type { Context } from "koa";
import { readAddress } from "../rate-limit/client-address.ts";
import type { IsTrusted } from "../rate-limit/trusted-proxies.ts";

/**
 * The origin that the client asked for, such as `https://checks.example.org`: what the request itself says, or, from a
 * trusted proxy, what that says of it. Text of the client's making: look at it before it goes into a page.
 */
export function requestedOrigin(ctx: Context, isTrusted: IsTrusted): string {
  const scheme = forwarded(ctx, "X-Forwarded-Proto", isTrusted) === "https" ? "https" : ctx.protocol;
  return `${scheme}://${requestedHost(ctx, isTrusted)}`;
}

/** The host of it, with its port. */
export function requestedHost(ctx: Context, isTrusted: IsTrusted): string {
  return forwarded(ctx, "X-Forwarded-Host", isTrusted) || ctx.get("Host");
}

/** The last entry is that of the proxy which is trusted; those before it were sent to it. Empty where none is trusted. */
function forwarded(ctx: Context, header: string, isTrusted: IsTrusted): string {
  const peer = readAddress(ctx.socket.remoteAddress ?? "");
  if (peer === undefined || !isTrusted(peer)) return "";
  return ctx.get(header).split(",").at(-1)?.trim().toLowerCase() ?? "";
}
