/** Reads contacts and deals of an account, individually or in batches. */
import { z } from 'zod'
import { ProviderError, type SyncRecord } from '../connector.ts'
import { id } from '../reply-fields.ts'
import { type ParsedItem, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { type Call, version } from './calls.ts'
import {
  Contact,
  contactProperties,
  Deal,
  dealProperties,
  mergedIds,
  retract,
  toContactRecords,
  toDealRecords,
} from './mapping.ts'

export const kinds = {
  contacts: {
    kind: 'contact',
    schema: Contact,
    properties: contactProperties,
    changedAt: 'lastmodifieddate',
  },
  deals: { kind: 'deal', schema: Deal, properties: dealProperties, changedAt: 'hs_lastmodifieddate' },
} as const
export type ObjectType = keyof typeof kinds

export const objectsPath = (type: ObjectType) => `/crm/objects/${version}/${type}`

const Association = z.looseObject({
  from: z.looseObject({ id }),
  to: z.array(z.looseObject({ toObjectId: id })),
})
const Associations = z.looseObject({ results: z.array(parsedOrSetAside('association', Association)) })

/** Associations of objects to those of the other type, which a search does not return. */
async function associated(
  call: Call,
  from: ObjectType,
  to: ObjectType,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const { results } = await call(`/crm/associations/${version}/${from}/${to}/batch/read`, {
    json: { inputs: ids.map((objectId) => ({ id: objectId })) },
    schema: Associations,
  })
  return new Map(
    readableItems(results).map((row) => [row.from.id, row.to.map(({ toObjectId }) => toObjectId)]),
  )
}

const BATCH = 100

async function readMany<T extends Contact | Deal>(
  call: Call,
  type: ObjectType,
  ids: readonly string[],
): Promise<ParsedItem<T>[]> {
  const { kind, schema, properties } = kinds[type]
  const all: ParsedItem<T>[] = []
  for (let at = 0; at < ids.length; at += BATCH) {
    const { results } = await call(`${objectsPath(type)}/batch/read`, {
      json: { properties, inputs: ids.slice(at, at + BATCH).map((objectId) => ({ id: objectId })) },
      schema: z.looseObject({ results: z.array(parsedOrSetAside(kind, schema as unknown as z.ZodType<T>)) }),
    })
    all.push(...results)
  }
  return all
}

/** A deal of several contacts belongs to the oldest one; ids are ascending. */
const oldest = (ids: readonly string[]): string | undefined =>
  [...ids].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]

/** The contact of each deal, regardless of when the contact was last changed. */
export async function contactsOfDeals(call: Call, dealIds: readonly string[]): Promise<Map<string, Contact>> {
  const links = await associated(call, 'deals', 'contacts', dealIds)
  const chosen = new Map(
    [...links].flatMap(([dealId, ids]) => {
      const contactId = oldest(ids)
      return contactId === undefined ? [] : [[dealId, contactId] as const]
    }),
  )
  const contacts = readableItems(await readMany<Contact>(call, 'contacts', [...new Set(chosen.values())]))
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  return new Map(
    [...chosen].flatMap(([dealId, contactId]) => {
      const contact = byId.get(contactId)
      return contact === undefined ? [] : [[dealId, contact] as const]
    }),
  )
}

/** Deals of contacts that others were merged into; they were recorded under contact ids that no longer exist. */
export async function dealsAfterMerge(
  call: Call,
  contacts: readonly Contact[],
  currency: string | null,
): Promise<SyncRecord[]> {
  const merged = contacts.filter((contact) => mergedIds(contact).length > 0)
  const links = await associated(
    call,
    'contacts',
    'deals',
    merged.map((contact) => contact.id),
  )
  const dealIds = [...new Set([...links.values()].flat())]
  const deals = readableItems(await readMany<Deal>(call, 'deals', dealIds))
  const owners = await contactsOfDeals(call, dealIds)
  return deals.flatMap((deal) => toDealRecords(deal, owners.get(deal.id) ?? null, currency))
}

async function readOne<T extends Contact | Deal>(
  call: Call,
  type: ObjectType,
  objectId: string,
  archived: boolean,
): Promise<T | null> {
  const { schema, properties } = kinds[type]
  try {
    return await call(`${objectsPath(type)}/${encodeURIComponent(objectId)}`, {
      query: { properties: properties.join(','), archived: String(archived) },
      schema: schema as unknown as z.ZodType<T>,
    })
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return null
    throw error
  }
}

/** The current state. Archived objects retract their outcomes; permanently deleted ones return nothing. */
export async function readCurrent(
  call: Call,
  type: ObjectType,
  objectId: string,
  currency: string | null,
): Promise<SyncRecord[]> {
  const current = await readOne<Contact | Deal>(call, type, objectId, false)
  const item = current ?? (await readOne<Contact | Deal>(call, type, objectId, true))
  if (item === null) return []
  const isArchived = current === null
  if (type === 'contacts') {
    const records = toContactRecords(item)
    return isArchived ? retract(records) : [...records, ...(await dealsAfterMerge(call, [item], currency))]
  }
  const owner = isArchived ? undefined : (await contactsOfDeals(call, [item.id])).get(item.id)
  const records = toDealRecords(item, owner ?? null, currency)
  return isArchived ? retract(records) : records
}
