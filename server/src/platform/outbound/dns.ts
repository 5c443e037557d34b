/** DNS lookups for verifying customers' domains, with a timeout. */
import { Resolver } from 'node:dns/promises'

export type Dns = { cnames(domain: string): Promise<string[]>; texts(domain: string): Promise<string[]> }

export function createDns(): Dns {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const orNone = <T>(error: NodeJS.ErrnoException): T[] => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
    throw error
  }
  return {
    cnames: (domain) => resolver.resolveCname(domain).catch(orNone<string>),
    texts: async (domain) =>
      (await resolver.resolveTxt(domain).catch(orNone<string[]>)).map((parts) => parts.join('')),
  }
}
