import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { trustedProxies as addressesIn, readAddress } from "../../http/security/client-address.ts";
import { hostName } from "../../http/security/host-rule.ts";
import { type ProxyRange, readProxyRange } from "../../platform/config.ts";

/** An address that may be connected to. */
type Address = { readonly address: string; readonly family: 4 | 6 };

/** The hosts that may get webhooks. */
export type WebhookHosts = {
  /** Whether the operator lists the host of a URL. Nothing is resolved. */
  readonly isListed: (url: URL) => boolean;
  /** The addresses of the host of a URL. @throws when it is not listed, or one of them is private and not listed. */
  readonly resolve: (url: URL) => Promise<readonly Address[]>;
};

/** Networks that are not the internet (IANA's special-purpose registries): machines of our own, and of the operator. */
const PRIVATE_RANGES = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "2002::/16"],
  ...["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

const isPrivate = addressesIn(PRIVATE_RANGES.flatMap((range) => readProxyRange(range) ?? []));

/**
 * @param listed names, `*.example.org` for all below one, addresses and CIDR blocks. A name allows the host and its public
 * addresses; a private address must be listed itself, also as the address of a listed name, which its owner could change.
 */
export function webhookHosts(listed: readonly string[], resolveName = resolveByDns): WebhookHosts {
  const ranges: ProxyRange[] = listed.flatMap((entry) => readProxyRange(entry) ?? []);
  const names = listed.map((entry) => entry.toLowerCase().replace(/\.$/, ""));
  const isInListedRange = addressesIn(ranges);
  const isListedName = (name: string) =>
    names.some((entry) => (entry.startsWith("*.") ? name.endsWith(entry.slice(1)) : name === entry));

  function isListed(url: URL): boolean {
    const name = hostName(url.host);
    if (name === undefined) return false;
    const address = readAddress(name);
    return address === undefined ? isListedName(name) : isInListedRange(address);
  }

  return {
    isListed,
    async resolve(url) {
      const name = hostName(url.host);
      if (name === undefined || !isListed(url)) throw new Error("the host is not listed");
      const found = isIP(name) === 0 ? await resolveName(name) : [name];
      const addresses = found.flatMap((one) => readAddress(one) ?? []);
      if (addresses.length === 0) throw new Error("the host has no address");
      if (addresses.some((one) => isPrivate(one) && !isInListedRange(one)))
        throw new Error("the host has a private address that is not listed");
      return addresses.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
    },
  };
}

async function resolveByDns(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
