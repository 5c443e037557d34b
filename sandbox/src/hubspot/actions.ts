/** Actions in the sandbox's account, each with the events that HubSpot would send. */

import { numberArg, textArg } from '../routes.ts'
import { seededDigits, seededUuid } from '../seeded-random.ts'
import { type CrmObject, crmObject, type ObjectType, type Records } from './records.ts'

type Json = Record<string, unknown>
export type HubEvent = { subscriptionType: string } & Json
type Done = { events: HubEvent[]; result: Json }

const nounOf: Record<ObjectType, string> = { contacts: 'contact', deals: 'deal' }

function chosen(records: Records, type: ObjectType, id: string | null): CrmObject {
  const all = records.list(type).filter((object) => object.archivedAt === null)
  const object = id === null ? all.at(-1) : records.find(type, id)
  if (object === undefined) throw new Error(`No such ${nounOf[type]}`)
  return object
}

function change(
  records: Records,
  type: ObjectType,
  object: CrmObject,
  properties: Record<string, string | null>,
  at: Date,
): CrmObject {
  const { id, links, createdAt } = object
  return records.put(
    type,
    crmObject(type, { id, links, createdAt, properties: { ...object.properties, ...properties } }, at),
  )
}

export function actOnRecords(records: Records, action: string, args: Json, now: Date): Done {
  const serial = () => `${now.getTime()} ${records.list('contacts').length} ${records.list('deals').length}`
  const at = now.toISOString()
  const lagMs = (numberArg(args, 'lag_seconds') ?? 0) * 1000
  const properties = (args.properties ?? {}) as Record<string, string | null>
  const events = (type: ObjectType, verb: string, object: CrmObject, extraFields: Json = {}): HubEvent[] => [
    { subscriptionType: `${nounOf[type]}.${verb}`, objectId: Number(object.id), ...extraFields },
  ]
  const newId = (type: ObjectType) => textArg(args, 'id') ?? `99${seededDigits(10, serial(), type)}`
  switch (action) {
    case 'new_contact': {
      const contact = records.put(
        'contacts',
        crmObject(
          'contacts',
          { id: newId('contacts'), properties: { email: 'new@shoppers.example', ...properties } },
          now,
          lagMs,
        ),
      )
      return { events: events('contacts', 'creation', contact), result: { contact_id: contact.id } }
    }
    // An import: many contacts with the same time, and no webhooks.
    case 'bulk_contacts': {
      for (let index = 0; index < Number(args.count); index++)
        records.put(
          'contacts',
          crmObject('contacts', { id: String(Number(args.first_id) + index), properties }, now),
        )
      return { events: [], result: {} }
    }
    case 'new_deal': {
      const contactIds = Array.isArray(args.contact_ids) ? args.contact_ids.map(String) : []
      const deal = records.put(
        'deals',
        crmObject(
          'deals',
          {
            id: newId('deals'),
            links: contactIds,
            properties: {
              dealstage: 'qualifiedtobuy',
              pipeline: 'default',
              amount: '1200',
              hs_is_closed_won: 'false',
              hs_v2_date_entered_current_stage: at,
              ...properties,
            },
          },
          now,
          lagMs,
        ),
      )
      for (const contactId of contactIds) link(records, contactId, deal.id)
      return { events: events('deals', 'creation', deal), result: { deal_id: deal.id } }
    }
    case 'change_contact': {
      const before = chosen(records, 'contacts', textArg(args, 'contact_id'))
      const contact = change(records, 'contacts', before, properties, now)
      return {
        events: Object.entries(properties).flatMap(([propertyName, propertyValue]) =>
          events('contacts', 'propertyChange', contact, { propertyName, propertyValue }),
        ),
        result: { contact_id: contact.id },
      }
    }
    case 'move_deal': {
      const stage = textArg(args, 'stage') ?? 'closedwon'
      const isWon = stage === 'closedwon'
      const deal = change(
        records,
        'deals',
        chosen(records, 'deals', textArg(args, 'deal_id')),
        {
          dealstage: stage,
          hs_is_closed_won: String(isWon),
          hs_is_closed: String(stage.startsWith('closed')),
          hs_v2_date_entered_current_stage: at,
          ...(isWon ? { closedate: at } : {}),
          ...properties,
        },
        now,
      )
      const stageChange = { propertyName: 'dealstage', propertyValue: stage }
      return { events: events('deals', 'propertyChange', deal, stageChange), result: { deal_id: deal.id } }
    }
    case 'archive_contact':
    case 'archive_deal':
    case 'restore_deal': {
      const type = action === 'archive_contact' ? 'contacts' : 'deals'
      const object = chosen(
        records,
        type,
        textArg(args, action === 'archive_contact' ? 'contact_id' : 'deal_id'),
      )
      const isRestored = action === 'restore_deal'
      // Neither the properties nor the times of the object change.
      records.put(type, { ...object, archivedAt: isRestored ? null : at })
      return { events: events(type, isRestored ? 'restore' : 'deletion', object), result: { id: object.id } }
    }
    case 'merge_contacts':
      return merge(records, String(args.primary_id), String(args.merged_id), now)
    case 'privacy_delete': {
      const contact = chosen(records, 'contacts', textArg(args, 'contact_id'))
      records.remove('contacts', contact.id)
      return {
        events: [
          ...events('contacts', 'deletion', contact),
          ...events('contacts', 'privacyDeletion', contact),
        ],
        result: { contact_id: contact.id },
      }
    }
    case 'submit_form': {
      const email = textArg(args, 'email') ?? 'new@shoppers.example'
      const conversionId = seededUuid(serial(), 'submission')
      records.submit({
        conversionId,
        submittedAt: now.getTime(),
        pageUrl: textArg(args, 'page_url') ?? 'https://harborandpine.example/contact',
        values: [{ name: 'email', value: email }],
      })
      return { events: [], result: { conversion_id: conversionId } }
    }
    default:
      throw new Error(`HubSpot's sandbox has no action ${action}`)
  }
}

function link(records: Records, contactId: string, dealId: string): void {
  const contact = records.find('contacts', contactId)
  if (contact !== undefined && !contact.links.includes(dealId))
    records.put('contacts', { ...contact, links: [...contact.links, dealId] })
}

/** A new contact replaces both; it gets their deals, and their ids are forwarded to it. */
function merge(records: Records, primaryId: string, mergedId: string, now: Date): Done {
  const primary = chosen(records, 'contacts', primaryId)
  const merged = chosen(records, 'contacts', mergedId)
  const id = `99${seededDigits(10, 'merged', primary.id, merged.id)}`
  const links = [...new Set([...primary.links, ...merged.links])]
  const earliest = [primary.createdAt, merged.createdAt].sort()[0]!
  records.put(
    'contacts',
    crmObject(
      'contacts',
      {
        id,
        links,
        createdAt: earliest,
        properties: {
          ...merged.properties,
          ...primary.properties,
          createdate: earliest,
          hs_merged_object_ids: `${primary.id};${merged.id}`,
        },
      },
      now,
    ),
  )
  for (const old of [primary, merged]) {
    records.remove('contacts', old.id)
    records.forwarded.set(old.id, id)
  }
  // The deals themselves do not change.
  for (const dealId of links) {
    const deal = records.find('deals', dealId)
    if (deal !== undefined) records.put('deals', { ...deal, links: [id] })
  }
  const event = {
    subscriptionType: 'contact.merge',
    objectId: Number(id),
    newObjectId: Number(id),
    primaryObjectId: Number(primary.id),
    mergedObjectIds: [Number(merged.id)],
    numberOfPropertiesMoved: 3,
  }
  return { events: [event], result: { contact_id: id } }
}
