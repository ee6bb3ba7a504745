import { BlockList, isIP } from "node:net";

/** One proxy or a block of them: an address, or an address with the length of its prefix (CIDR). */
export type ProxyRange = {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  /** Undefined for a single address. */
  readonly prefix: number | undefined;
};

/** What `TRUSTED_PROXIES` names, read: `10.0.0.0/8` or `2001:db8::7`; undefined for anything else. */
export function readProxyRange(text: string): ProxyRange | undefined {
  const [address = "", length, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (length === undefined) return { address, family, prefix: undefined };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= BITS[family] ? { address, family, prefix } : undefined;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;

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
