/**
 * Addresses that requests to user-supplied URLs may connect to (SSRF protection). IPv4 uses a block list; IPv6 an
 * allow list, because most of its space is special and more is assigned every year.
 */
import { BlockList, isIP } from 'node:net'

const special4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure serves machine credentials on this otherwise public address.
  '168.63.129.16/32',
])

const global6 = blockList(['2000::/3'])

/** Inside 2000::/3: protocol assignments with Teredo, documentation, 6to4, AS112, the retired 6bone. */
const special6 = blockList([
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
])

/** Parses `address/prefix` entries; throws a clear error on an invalid one. */
export function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const match = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(cidr.trim())
    const family = match ? isIP(match[1]!) : 0
    const prefix = Number(match?.[2])
    if (!match || family === 0 || prefix > (family === 4 ? 32 : 128)) {
      throw new Error(`"${cidr}" is not a network in CIDR form, such as 10.0.0.0/8`)
    }
    list.addSubnet(match[1]!, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

export function isInside(list: BlockList, address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return list.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && list.check(address, 'ipv6')
    default:
      return false
  }
}

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
    default:
      return false
  }
}
