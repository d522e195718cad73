import ipaddr from "ipaddr.js";

/** A block of addresses that no request from outside may make us dial. */
export type SpecialRange = { cidr: string; what: string; source: string };

/** IANA's special-purpose registry for IPv4, multicast, and one address that only looks public. */
const ipv4Ranges: readonly SpecialRange[] = [
  { cidr: "0.0.0.0/8", what: "this network", source: "RFC 791 §3.2" },
  { cidr: "10.0.0.0/8", what: "private", source: "RFC 1918" },
  { cidr: "100.64.0.0/10", what: "carrier-grade NAT", source: "RFC 6598" },
  { cidr: "127.0.0.0/8", what: "loopback", source: "RFC 1122 §3.2.1.3" },
  // Also 169.254.169.254, where clouds answer with the machine's own credentials.
  { cidr: "169.254.0.0/16", what: "link-local", source: "RFC 3927" },
  { cidr: "172.16.0.0/12", what: "private", source: "RFC 1918" },
  // Also 192.0.0.192, Oracle's metadata.
  { cidr: "192.0.0.0/24", what: "protocol assignments", source: "RFC 6890 §2.1" },
  { cidr: "192.0.2.0/24", what: "documentation", source: "RFC 5737" },
  { cidr: "192.31.196.0/24", what: "AS112", source: "RFC 7535" },
  { cidr: "192.52.193.0/24", what: "AMT relays", source: "RFC 7450" },
  { cidr: "192.88.99.0/24", what: "6to4 relays", source: "RFC 7526" },
  { cidr: "192.168.0.0/16", what: "private", source: "RFC 1918" },
  { cidr: "192.175.48.0/24", what: "AS112", source: "RFC 7534" },
  { cidr: "198.18.0.0/15", what: "benchmarking", source: "RFC 2544" },
  { cidr: "198.51.100.0/24", what: "documentation", source: "RFC 5737" },
  { cidr: "203.0.113.0/24", what: "documentation", source: "RFC 5737" },
  { cidr: "224.0.0.0/4", what: "multicast", source: "RFC 5771" },
  { cidr: "240.0.0.0/4", what: "reserved and broadcast", source: "RFC 1112 §4, RFC 919" },
  {
    cidr: "168.63.129.16/32",
    what: "Azure's host",
    source: "Microsoft's “What is IP address 168.63.129.16?”",
  },
];

/** Only this part of IPv6 is given out as global unicast (RFC 4291 §2.4, IANA); all else is refused unseen. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
const outsideGlobalUnicast: SpecialRange = {
  cidr: "::/0",
  // Loopback, unique local, link- and site-local, multicast, IPv4-mapped, and NAT64 with its IPv4 address inside.
  what: "not global unicast",
  source: "RFC 4291 §2.4, RFC 4193, RFC 3879, RFC 6052, RFC 8215",
};

const ipv6Ranges: readonly SpecialRange[] = [
  { cidr: "2001::/23", what: "protocol assignments, Teredo, ORCHID", source: "RFC 2928, RFC 4380, RFC 7343" },
  { cidr: "2001:db8::/32", what: "documentation", source: "RFC 3849" },
  { cidr: "2002::/16", what: "6to4, with an IPv4 address inside", source: "RFC 3056" },
  { cidr: "2620:4f:8000::/48", what: "AS112", source: "RFC 7534" },
  { cidr: "3fff::/20", what: "documentation", source: "RFC 9637" },
];

const notAnAddress: SpecialRange = { cidr: "", what: "not an address", source: "RFC 4632, RFC 4291" };

/**
 * Why an address is not on the public internet, or null when it is.
 * @param address as a resolver gives it; anything unreadable counts as not public
 */
export function specialRangeOf(address: string): SpecialRange | null {
  if (!ipaddr.isValid(address)) return notAnAddress;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return rangeWith(parsed, ipv4Ranges);
  return parsed.match(globalUnicast) ? rangeWith(parsed, ipv6Ranges) : outsideGlobalUnicast;
}

function rangeWith(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly SpecialRange[]): SpecialRange | null {
  return ranges.find(({ cidr }) => address.match(ipaddr.parseCIDR(cidr))) ?? null;
}
