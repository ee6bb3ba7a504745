import type { Middleware } from "koa";

/**
 * Headers that tell a browser to trust an answer with nothing. They suit an API; a page that needs scripts or
 * styles replaces the Content-Security-Policy with its own.
 */
export function setSecurityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set({
      "Content-Security-Policy":
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
    return next();
  };
}
