import t from "tap";
import { specialRangeOf } from "../../platform/public-address.ts";

const privateOnes = [
  ["0.0.0.0", "this network"],
  ["10.1.2.3", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.100.100.200", "carrier-grade NAT"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["169.254.169.254", "link-local"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.192", "protocol assignments"],
  ["192.168.0.1", "private"],
  ["198.19.255.255", "benchmarking"],
  ["203.0.113.9", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved and broadcast"],
  ["255.255.255.255", "reserved and broadcast"],
  ["168.63.129.16", "Azure's host"],
  ["::", "not global unicast"],
  ["::1", "not global unicast"],
  ["::ffff:127.0.0.1", "not global unicast"],
  ["::ffff:8.8.8.8", "not global unicast"],
  ["::127.0.0.1", "not global unicast"],
  ["64:ff9b::7f00:1", "not global unicast"],
  ["64:ff9b:1::1", "not global unicast"],
  ["fc00::1", "not global unicast"],
  ["fd00:ec2::254", "not global unicast"],
  ["fe80::1", "not global unicast"],
  ["fe80::1%eth0", "not global unicast"],
  ["fec0::1", "not global unicast"],
  ["ff02::1", "not global unicast"],
  ["5f00::1", "not global unicast"],
  ["2001::1", "protocol assignments, Teredo, ORCHID"],
  ["2001:0:7f00:1::", "protocol assignments, Teredo, ORCHID"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4, with an IPv4 address inside"],
  ["", "not an address"],
  ["example.com", "not an address"],
] as const;

t.test("an address that is not on the public internet is known by its range", async (t) => {
  for (const [address, what] of privateOnes) t.equal(specialRangeOf(address)?.what, what, address);
});

t.test("a public address is public, also beside the edges of special ranges", async (t) => {
  const publicOnes = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
  ];
  for (const address of publicOnes) t.equal(specialRangeOf(address), null, address);
});
