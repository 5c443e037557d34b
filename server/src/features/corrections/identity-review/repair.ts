/**
 * Looks for people who said an address or a number that names no one, and repairs it. A repair is an event like any
 * other, so that it is resolved, taken back and erased like one; a person that an identifier names already is left to the queue.
 */
import { identifierKinds } from '@whence/engine'
import { canReadPeople, type ProfileContext } from '../../../context.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { type Db, inSnapshot, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { writeEvents } from '../../facts/events/queries.ts'
import { hashOf } from '../../facts/events/rules.ts'
import type { NewEvent } from '../../facts/events/stored.ts'
import { identifierId } from '../../facts/identity/identifiers.ts'
import { countMissing, countShared, listKnown, listUnnamed } from './repair-queries.ts'
import { type Repairable, repairOf } from './repair-rules.ts'

export type Repair = {
  customerId: string
  rootKind: number
  trait: Repairable
  value: string
  identifierId: string
  /** Somebody else has the identifier: only a merge could bring them together. */
  isTaken: boolean
}

async function findRepairs(
  { service, profile }: ProfileContext,
  db: Db | Tx,
  country: string | null,
): Promise<Repair[]> {
  const repairs = (await listUnnamed(db, profile.id)).flatMap((said) => {
    const value = repairOf(said.trait, said.value, country)
    if (value === undefined) return []
    const id = identifierId(said.trait, value, profile.id, service.identityPepper)
    return [
      {
        customerId: said.customer_id,
        rootKind: said.kind,
        trait: said.trait,
        value,
        identifierId: id,
        isTaken: false,
      },
    ]
  })
  const taken = await listKnown(
    db,
    profile.id,
    repairs.map((repair) => repair.identifierId),
  )
  // Of two customers with one value the first gets it.
  return repairs.map((repair) => {
    const isTaken = taken.has(repair.identifierId)
    taken.add(repair.identifierId)
    return { ...repair, isTaken }
  })
}

export async function scanIdentityRepairs(
  context: ProfileContext,
  query: { country?: string | undefined; offset: number; limit: number },
) {
  const profileId = context.profile.id
  // Of one moment: an event that is read in between would make a customer's own new email look like somebody else's.
  const { missing, emails, phones, repairs } = await inSnapshot(context.db, async (tx) => ({
    missing: await countMissing(tx, profileId),
    emails: await countShared(tx, profileId, 'email'),
    phones: await countShared(tx, profileId, 'phone'),
    repairs: await findRepairs(context, tx, query.country ?? null),
  }))
  const byCustomer = [...Map.groupBy(repairs, (repair) => repair.customerId)]
  const shown = byCustomer.slice(query.offset, query.offset + query.limit)
  const data = {
    customers: missing.customers,
    missing_email_count: missing.missing_email,
    missing_phone_count: missing.missing_phone,
    duplicate_email_groups: emails.groups,
    duplicate_phone_groups: phones.groups,
    auto_repairable_count: repairs.filter((repair) => !repair.isTaken).length,
    auto_merge_count: emails.customers + phones.customers - emails.groups - phones.groups,
    profiles: toShown(context, shown),
  }
  const { offset, limit } = query
  return { data, pagination: { has_next: byCustomer.length > offset + limit, offset, limit } }
}

/** What is written is shown to who may read people. */
function toShown(context: ProfileContext, shown: readonly [string, readonly Repair[]][]) {
  const open = canReadPeople(context)
  if (open) for (const [customerId] of shown) context.shown.add(customerId)
  return shown.map(([customerId, repairs]) => ({
    customer_id: customerId,
    backfills: repairs.map((repair) => ({
      kind: repair.trait,
      value: open ? repair.value : null,
      status: repair.isTaken ? ('taken' as const) : ('repairable' as const),
    })),
  }))
}

/** Previews unless `apply` is set; the same repair again changes nothing. */
export async function repairIdentity(
  context: ProfileContext,
  body: { apply: boolean; country?: string | undefined; customer_ids?: string[] | undefined },
) {
  const { now } = context
  const profileId = context.profile.id
  const wanted = body.customer_ids === undefined ? null : new Set(body.customer_ids)
  const done = await inTransaction(context.db, async (tx) => {
    const repairs = (await findRepairs(context, tx, body.country ?? null)).filter(
      (repair) => wanted?.has(repair.customerId) ?? true,
    )
    const free = repairs.filter((repair) => !repair.isTaken)
    if (!body.apply || free.length === 0) return { repairs, written: 0 }
    const events = free.map((repair) => toEvent(profileId, repair, now))
    const statuses = await writeEvents(tx, { profileId, events })
    const written = statuses.filter((status) => status !== 'unchanged').length
    await recordInProfile(tx, context, {
      action: 'identity.repaired',
      detail: { written },
    })
    return { repairs, written }
  })
  context.service.processor.wake(profileId)
  const shown = [...Map.groupBy(done.repairs, (repair) => repair.customerId)]
  return { applied: body.apply, written: done.written, profiles: toShown(context, shown) }
}

function toEvent(profileId: string, repair: Repair, now: Date): NewEvent {
  const root = { kind: identifierKinds[repair.rootKind]!, id: repair.customerId }
  const own = { kind: repair.trait, id: repair.identifierId }
  const rank = (kind: (typeof identifierKinds)[number]) => identifierKinds.indexOf(kind)
  return {
    id: uuidv5(profileId, `repair:${repair.customerId}:${repair.trait}`),
    occurredAt: now,
    receivedAt: now,
    source: 'import',
    provider: null,
    externalId: null,
    name: 'identity_repaired',
    anonymousId: null,
    sessionId: null,
    isBot: false,
    contentHash: hashOf([repair.customerId, repair.trait, repair.value]),
    body: {
      identifiers: [root, own].sort((a, b) => rank(a.kind) - rank(b.kind)),
      traits: { [repair.trait]: repair.value },
    },
  }
}
