/**
 * Repairs customers whose reported email or phone is not a valid identifier. A repair is written as an ordinary event,
 * so it is resolved, retracted and erased like one. A value that another customer already has is not repaired; a merge proposal has to resolve it.
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
import {
  countMissing,
  countShared,
  listExistingIdentifiers,
  listUnidentifiedValues,
} from './repair-queries.ts'
import { type Repairable, repairValue } from './repair-rules.ts'

export type Repair = {
  customerId: string
  rootKind: number
  trait: Repairable
  value: string
  identifierId: string
  /** Another customer has the identifier; only a merge can resolve that. */
  isTaken: boolean
}

async function findRepairs(
  { service, profile }: ProfileContext,
  db: Db | Tx,
  country: string | null,
): Promise<Repair[]> {
  const repairs = (await listUnidentifiedValues(db, profile.id)).flatMap((reported) => {
    const value = repairValue(reported.trait, reported.value, country)
    if (value === undefined) return []
    const id = identifierId(reported.trait, value, profile.id, service.identityPepper)
    return [
      {
        customerId: reported.customer_id,
        rootKind: reported.kind,
        trait: reported.trait,
        value,
        identifierId: id,
        isTaken: false,
      },
    ]
  })
  const takenIds = await listExistingIdentifiers(
    db,
    profile.id,
    repairs.map((repair) => repair.identifierId),
  )
  // If two customers have the same value, the first one gets it.
  return repairs.map((repair) => {
    const isTaken = takenIds.has(repair.identifierId)
    takenIds.add(repair.identifierId)
    return { ...repair, isTaken }
  })
}

export async function scanIdentityRepairs(
  context: ProfileContext,
  query: { country?: string | undefined; offset: number; limit: number },
) {
  const profileId = context.profile.id
  // One snapshot: otherwise an event processed in between makes a customer's new email look taken by another customer.
  const { missing, emails, phones, repairs } = await inSnapshot(context.db, async (tx) => ({
    missing: await countMissing(tx, profileId),
    emails: await countShared(tx, profileId, 'email'),
    phones: await countShared(tx, profileId, 'phone'),
    repairs: await findRepairs(context, tx, query.country ?? null),
  }))
  const byCustomer = [...Map.groupBy(repairs, (repair) => repair.customerId)]
  const page = byCustomer.slice(query.offset, query.offset + query.limit)
  const data = {
    customers: missing.customers,
    missing_email_count: missing.missing_email,
    missing_phone_count: missing.missing_phone,
    duplicate_email_groups: emails.groups,
    duplicate_phone_groups: phones.groups,
    auto_repairable_count: repairs.filter((repair) => !repair.isTaken).length,
    auto_merge_count: emails.customers + phones.customers - emails.groups - phones.groups,
    profiles: toRepairedCustomers(context, page),
  }
  const { offset, limit } = query
  return { data, pagination: { has_next: byCustomer.length > offset + limit, offset, limit } }
}

/** Repaired values are included only for callers who may read people. */
function toRepairedCustomers(context: ProfileContext, customers: readonly [string, readonly Repair[]][]) {
  const showValues = canReadPeople(context)
  if (showValues) for (const [customerId] of customers) context.shown.add(customerId)
  return customers.map(([customerId, repairs]) => ({
    customer_id: customerId,
    backfills: repairs.map((repair) => ({
      kind: repair.trait,
      value: showValues ? repair.value : null,
      status: repair.isTaken ? ('taken' as const) : ('repairable' as const),
    })),
  }))
}

/** Previews unless `apply` is set. Idempotent: repeating a repair changes nothing. */
export async function repairIdentity(
  context: ProfileContext,
  body: { apply: boolean; country?: string | undefined; customer_ids?: string[] | undefined },
) {
  const { now } = context
  const profileId = context.profile.id
  const customerIds = body.customer_ids === undefined ? null : new Set(body.customer_ids)
  const result = await inTransaction(context.db, async (tx) => {
    const repairs = (await findRepairs(context, tx, body.country ?? null)).filter(
      (repair) => customerIds?.has(repair.customerId) ?? true,
    )
    const repairable = repairs.filter((repair) => !repair.isTaken)
    if (!body.apply || repairable.length === 0) return { repairs, written: 0 }
    const events = repairable.map((repair) => toEvent(profileId, repair, now))
    const statuses = await writeEvents(tx, { profileId, events })
    const writtenCount = statuses.filter((status) => status !== 'unchanged').length
    await recordInProfile(tx, context, {
      action: 'identity.repaired',
      detail: { written: writtenCount },
    })
    return { repairs, written: writtenCount }
  })
  context.service.processor.wake(profileId)
  const customers = [...Map.groupBy(result.repairs, (repair) => repair.customerId)]
  return {
    applied: body.apply,
    written: result.written,
    profiles: toRepairedCustomers(context, customers),
  }
}

function toEvent(profileId: string, repair: Repair, now: Date): NewEvent {
  const root = { kind: identifierKinds[repair.rootKind]!, id: repair.customerId }
  const repaired = { kind: repair.trait, id: repair.identifierId }
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
      identifiers: [root, repaired].sort((a, b) => rank(a.kind) - rank(b.kind)),
      traits: { [repair.trait]: repair.value },
    },
  }
}
