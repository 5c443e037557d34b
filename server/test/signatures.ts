/**
 * What the platform decides before a handler runs (credential, scope, role, parsing) depends on a few members of the
 * contract entry, not on the route. A test of such a rule tries one route of each combination in depth.
 */
import type { Endpoint } from '../src/platform/contract/endpoint.ts'

const members = [
  'rawBody',
  'batch',
  'streamsBody',
  'file',
  'personLevel',
  'revalidates',
  'limit',
  'holdsFile',
  'retired',
  'slow',
] as const satisfies readonly (keyof Endpoint)[]

export function signatureOf(entry: Endpoint): string {
  const access = Object.entries(entry.access).map(([name, value]) =>
    Array.isArray(value) ? `${name}: ${value.length > 0 ? 'some' : 'none'}` : `${name}: ${value}`,
  )
  const used = members.filter((name) => entry[name] !== undefined && entry[name] !== null)
  const own = [entry.body === null ? 'no body' : 'body', entry.path.includes('{') ? 'ids' : 'no ids']
  return [entry.method, ...access, ...own, ...used].join(', ')
}

/** The first route of each signature. */
export function representativesOf(entries: readonly Endpoint[]): ReadonlySet<Endpoint> {
  const first = new Map<string, Endpoint>()
  for (const entry of entries) if (!first.has(signatureOf(entry))) first.set(signatureOf(entry), entry)
  return new Set(first.values())
}
