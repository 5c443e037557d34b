import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { affectedNodes, type IdentityState } from './affected.ts'
import {
  type Identifier,
  identifierKinds,
  type Link,
  linksOfEvent,
  type Merge,
  type Node,
  resolve,
  resolveNode,
  toGraph,
  toIdentifier,
  toNode,
} from './identity.ts'

const settings = { maxLinkedPeople: 3 }

const anyIdentifier: fc.Arbitrary<Identifier> = fc.record({
  kind: fc.constantFrom(...identifierKinds),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
})
const anyEvents = fc.array(
  fc.record({
    identifiers: fc.array(anyIdentifier, { minLength: 1, maxLength: 4 }),
    observedAt: fc.integer({ min: 0, max: 6 }),
    byToken: fc.boolean(),
  }),
  { maxLength: 25 },
)
const anyNode = anyIdentifier.map(toNode)
const anyMerges: fc.Arbitrary<Merge[]> = fc.array(
  fc.record({ from: anyNode, into: anyNode, decidedAt: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 4 },
)
const toLinks = (events: { identifiers: Identifier[]; observedAt: number; byToken?: boolean }[]): Link[] =>
  events.flatMap(({ identifiers, observedAt, byToken }) =>
    linksOfEvent(identifiers, observedAt)!.links.map((link) => (byToken ? { ...link, byToken } : link)),
  )

const node = (kind: Identifier['kind'], key: string) => toNode({ kind, key })
const email = node('email', 'e')
const phone = node('phone', 'p')
const visitor = node('anonymous_id', 'v')
const person = node('external_id', 'x')
const link = (weaker: Node, stronger: Node, observedAt = 0): Link => ({ weaker, stronger, observedAt })

const shuffled = <T>(items: T[]) =>
  fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length })
const sorted = (roots: Map<Node, Node>) => [...roots].sort()

describe('links of an event', () => {
  it('lead from each weaker identifier to the strongest, never within one kind', () => {
    const identifiers = [visitor, node('email', 'b'), email, node('email', 'a')].map(toIdentifier)
    const strongest = node('email', 'a')
    expect(linksOfEvent(identifiers, 5)).toEqual({ node: strongest, links: [link(visitor, strongest, 5)] })
    expect(linksOfEvent([], 5)).toBeUndefined()
  })
})

describe('resolving identifiers', () => {
  it('does not depend on order or repetition of the input', () => {
    const anyOrders = fc
      .tuple(anyEvents.map(toLinks), anyMerges)
      .chain(([links, merges]) =>
        fc.tuple(
          fc.constant({ links, merges }),
          shuffled([...links, ...links.slice(0, 5)]),
          shuffled([...merges, ...merges]),
        ),
      )
    fc.assert(
      fc.property(anyOrders, ([original, links, merges]) => {
        const roots = resolve(original.links, original.merges, settings)
        expect(sorted(resolve(links, merges, settings))).toEqual(sorted(roots))
      }),
      { numRuns: 1000 },
    )
  })

  it('is idempotent: a root resolves to itself', () => {
    fc.assert(
      fc.property(anyEvents.map(toLinks), anyMerges, (links, merges) => {
        const roots = resolve(links, merges, settings)
        for (const root of roots.values()) expect(roots.get(root)).toBe(root)
      }),
      { numRuns: 1000 },
    )
  })

  it('follows the stronger identifier seen first; ties prefer the stronger kind, then the smaller key', () => {
    const other = node('external_id', 'a')
    expect(resolve([link(email, person, 2), link(email, other, 3)]).get(email)).toBe(person)
    expect(resolve([link(email, person, 2), link(email, other, 2)]).get(email)).toBe(other)
    const contact = node('crm_contact_id', 'a')
    expect(resolve([link(email, contact, 2), link(email, person, 2)]).get(email)).toBe(person)
    expect(resolve([link(email, contact, 1), link(email, person, 2)]).get(email)).toBe(contact)
  })

  it('follows a chain to its end', () => {
    const roots = resolve([link(visitor, phone), link(phone, email), link(email, person)])
    expect([...roots.values()]).toEqual([person, person, person, person])
  })

  it('ignores the links of an identifier shared by too many people', () => {
    const people = Array.from({ length: 11 }, (_, i) => node('external_id', `x${i}`))
    const links = people.map((strong, i) => link(phone, strong, i))
    expect(resolve(links.slice(0, 10)).get(phone)).toBe(people[0])
    expect(resolve(links).get(phone)).toBe(phone)
    expect(resolve([...links, link(visitor, phone)]).get(visitor)).toBe(phone)
    expect(resolve([...links.slice(0, 10), ...links.slice(0, 10)]).get(phone)).toBe(people[0])
  })

  it('follows merges, also if a later link gave the merged customer a stronger identifier', () => {
    const other = node('email', 'o')
    const merge = { from: email, into: other, decidedAt: 1 }
    expect(resolve([link(visitor, email)], [merge]).get(visitor)).toBe(other)
    const roots = resolve([link(visitor, email), link(email, person)], [merge])
    expect([visitor, email, person].map((n) => roots.get(n))).toEqual([other, other, other])
    expect(resolve([link(visitor, email), link(email, person)]).get(visitor)).toBe(person)
  })

  it('resolves a cycle of merges to its strongest node', () => {
    const merges = [
      { from: email, into: phone, decidedAt: 1 },
      { from: phone, into: email, decidedAt: 2 },
    ]
    const roots = resolve([link(visitor, phone)], merges)
    expect([visitor, phone, email].map((n) => roots.get(n))).toEqual([email, email, email])
  })
})

describe('resolving incrementally', () => {
  it('needs only the links on the path to the root', () => {
    fc.assert(
      fc.property(anyEvents.map(toLinks), anyMerges, (links, merges) => {
        const roots = resolve(links, merges, settings)
        const graph = toGraph(links, merges, settings)
        for (const [from, root] of roots) expect(resolveNode(from, graph, settings)).toBe(root)
      }),
      { numRuns: 300 },
    )
  })

  it('includes every node whose root changed, for any added or removed links and merges', () => {
    const toState = (links: readonly Link[], merges: readonly Merge[]): IdentityState => ({
      linksFrom: (from) => links.filter(({ weaker }) => weaker === from),
      linksInto: (into) => links.filter(({ stronger }) => stronger === into),
      merges,
    })
    const anyChange = fc.tuple(
      anyEvents.map(toLinks),
      fc.array(anyEvents.map(toLinks), { maxLength: 1 }).map((extra) => extra.flat().slice(0, 3)),
      anyMerges,
      fc.array(anyMerges, { maxLength: 1 }).map((extra) => extra.flat().slice(0, 1)),
    )
    fc.assert(
      fc.property(anyChange, fc.boolean(), fc.boolean(), (change, isRemoval, mixed) => {
        const [links, moreLinks, merges, moreMerges] = change
        const fewer = { links, merges }
        const all = { links: [...links, ...moreLinks], merges: [...merges, ...moreMerges] }
        const [old, now] = isRemoval ? [all, fewer] : [fewer, all]
        const changed = [...moreLinks.map(({ weaker }) => weaker), ...moreMerges.map(({ from }) => from)]
        // A caller that cannot separate the new links passes the links of both states as the state before.
        const oldLinks = mixed ? all.links : old.links
        const states = { before: toState(oldLinks, old.merges), after: toState(now.links, now.merges) }
        const affected = affectedNodes(changed, states)
        const before = resolve(old.links, old.merges, settings)
        const after = resolve(now.links, now.merges, settings)
        for (const n of new Set([...before.keys(), ...after.keys()])) {
          if ((before.get(n) ?? n) !== (after.get(n) ?? n)) expect(affected).toContain(n)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
