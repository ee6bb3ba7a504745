import { BlockList, isIP, SocketAddress } from "node:net";
import type { ProxyRange } from "../../platform/config.ts";

/**
 * The client's address: the socket's or, behind trusted proxies, the right-most entry of X-Forwarded-For that is not
 * a trusted proxy. Entries further left come from the client and prove nothing. An entry that is not an address ends the search
 * at the last known address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string,
  isTrusted: IsTrusted,
): string {
  let client = readAddress(socketAddress ?? "") ?? NO_ADDRESS;
  const entries = forwardedFor.split(",");
  while (isIP(client) !== 0 && isTrusted(client)) {
    const next = readAddress(entries.pop() ?? "");
    if (next === undefined) break;
    client = next;
  }
  return client;
}

/** A closed socket has no address. */
const NO_ADDRESS = "unknown";

/**
 * An address in canonical form; undefined for anything else. It loses a port, which some proxies add, and an IPv6 zone. An
 * IPv4-mapped address (`::ffff:192.0.2.1`) becomes IPv4.
 */
export function readAddress(text: string): string | undefined {
  const bare = withoutPort(text.trim()).replace(/%.*$/, "");
  const version = isIP(bare);
  if (version === 0) return undefined;
  if (version === 4) return bare;
  const { address } = new SocketAddress({ address: bare, family: "ipv6" });
  const mapped = address.replace(/^::ffff:/i, "");
  return isIP(mapped) === 4 ? mapped : address;
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1");
}

/** Whether an address, as `readAddress` gives it, is one of the proxies. */
export type IsTrusted = (address: string) => boolean;

export function trustedProxies(ranges: readonly ProxyRange[]): IsTrusted {
  const list = new BlockList();
  for (const { address, family, prefix } of ranges) {
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return (address) => list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}
