/** Previews a repair: runs it in a transaction, compares the customers before and after, and rolls back. */
import { canReadPeople, type ProfileContext } from '../../../context.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { lockProfile, lookUpByKeys } from '../../../platform/db/profile-lock.ts'
import { ownerOf } from '../../facts/events/erase.ts'
import { loadMembers } from '../../facts/identity/members.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { describeCustomers } from '../identity-review/sides.ts'
import { type FactRow, listFacts, loadCustomerIds } from './queries.ts'
import { findCandidates, loadMisread, type MisreadEvent, reprocessEvents, toReading } from './reprocess.ts'

/** More events would keep the profile's lock for too long. */
const MAX_EVENTS = 1000
const MAX_PEOPLE = 100
const MAX_REASONS = 10

export async function previewPhoneRepair(
  context: ProfileContext,
  { include_unresolved: includeUnresolved }: { include_unresolved: boolean },
) {
  const { service, profile } = context
  await service.processor.settled(profile.id)
  const scope = identityScope(service, profile)
  return rolledBack(context.db, async (tx) => {
    await lockProfile(tx, profile.id)
    await lookUpByKeys(tx)
    const misread: MisreadEvent[] = []
    for await (const eventIds of findCandidates(tx, scope, includeUnresolved)) {
      misread.push(...(await loadMisread(tx, scope, eventIds, includeUnresolved)))
      if (misread.length > MAX_EVENTS) break
    }
    const events = misread.slice(0, MAX_EVENTS)
    const before = await loadState(tx, profile.id, events)
    await reprocessEvents(tx, scope, events.map(toReading), context.now)
    const splits = await findSplits(tx, profile.id, before)
    const people = await describe({ ...context, db: tx }, splits.slice(0, MAX_PEOPLE), events, before)
    return {
      events: events.length,
      customers: splits.length,
      truncated: misread.length > MAX_EVENTS || splits.length > MAX_PEOPLE,
      people,
    }
  })
}

type State = {
  /** Identifier → customer, of all customers of the events. */
  members: ReadonlyMap<string, string>
  facts: readonly FactRow[]
  /** The customer of each misread event. */
  ownerOfEvent: ReadonlyMap<string, string>
}

async function loadState(tx: Tx, profileId: string, events: readonly MisreadEvent[]): Promise<State> {
  const identifierIds = events.flatMap(({ event }) => event.body.identifiers.map(({ id }) => id))
  const owners = await loadCustomerIds(tx, profileId, identifierIds)
  const members = await loadMembers(tx, profileId, [...new Set(owners.values())])
  return {
    members,
    facts: await listFacts(tx, profileId, { identifierIds: [...members.keys()] }),
    ownerOfEvent: new Map(
      events.flatMap(({ event }) => {
        const owner = owners.get(ownerOf(event))
        return owner === undefined ? [] : [[event.id, owner]]
      }),
    ),
  }
}

type Split = { customerId: string; parts: Map<string, FactRow[]> }

/** Customers whose identifiers or facts now belong to several customers. */
async function findSplits(tx: Tx, profileId: string, before: State): Promise<Split[]> {
  const now = await loadCustomerIds(tx, profileId, [...before.members.keys()])
  const eventIds = [...new Set(before.facts.map((fact) => fact.event_id))]
  const facts = Map.groupBy(await listFacts(tx, profileId, { eventIds }), (fact) => fact.event_id)
  const customers = new Map<string, Split>()
  const partOf = (customerId: string, part: string) => {
    const split = customers.get(customerId) ?? { customerId, parts: new Map<string, FactRow[]>() }
    customers.set(customerId, split)
    const rows = split.parts.get(part) ?? []
    split.parts.set(part, rows)
    return rows
  }
  for (const [id, customerId] of before.members) {
    const part = now.get(id)
    if (part !== undefined) partOf(customerId, part)
  }
  for (const fact of before.facts) {
    const currentFact = facts.get(fact.event_id)?.find((row) => row.kind === fact.kind)
    if (currentFact !== undefined) partOf(fact.customer_id, currentFact.customer_id).push(currentFact)
  }
  return [...customers.values()].filter((split) => split.parts.size > 1)
}

async function describe(
  context: ProfileContext,
  splits: readonly Split[],
  events: readonly MisreadEvent[],
  before: State,
) {
  const canSeePeople = canReadPeople(context)
  if (canSeePeople) for (const { customerId } of splits) context.shown.add(customerId)
  const describeOne = await describeCustomers(
    context,
    splits.flatMap((split) => [...split.parts.keys()]),
  )
  const reasons = Map.groupBy(events, ({ event }) => before.ownerOfEvent.get(event.id))
  return splits.map(({ customerId, parts }) => ({
    customer_id: customerId,
    misread: (reasons.get(customerId) ?? []).slice(0, MAX_REASONS).map(({ event, typed, misread }) => ({
      event_id: event.id,
      typed: canSeePeople ? typed : null,
      read_as_country: misread.readAsCountry,
      country: misread.number === null ? null : misread.country,
    })),
    parts: [...parts].map(([id, facts]) => ({ ...describeOne(id), ...sumFacts(facts) })),
  }))
}

function sumFacts(facts: readonly FactRow[]) {
  const count = (kind: FactRow['kind']) => facts.filter((fact) => fact.kind === kind).length
  const sums = new Map<string, number>()
  for (const { value_minor, currency } of facts)
    if (value_minor !== null && currency !== null)
      sums.set(currency, (sums.get(currency) ?? 0) + Number(value_minor))
  return {
    touches: count('touch'),
    conversions: count('conversion'),
    payments: count('payment'),
    money: [...sums].map(([currency, minor]) => ({ currency, value: toDecimalNumber(minor, currency) })),
  }
}

class RolledBack<T> extends Error {
  readonly result: T
  constructor(result: T) {
    super('rolled back on purpose')
    this.result = result
  }
}

async function rolledBack<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      throw new RolledBack(await work(tx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}
