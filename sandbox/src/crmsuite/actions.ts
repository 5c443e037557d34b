/** Actions in a location, each with the webhook that the provider would send. */

import { numberArg, textArg } from '../routes.ts'
import { seededHex } from '../seeded-random.ts'
import type { Item, Json, Kind, LocationBook, StageName } from './location.ts'

export type Happening = { type: string; fields: Json; result: Json }

function chosen(book: LocationBook, kind: Kind, id: string | null): Item {
  const item = id === null ? book.list(kind).at(-1) : book.find(kind, id)
  if (!item) throw new Error(`No such item in ${kind}: ${id}`)
  return item
}

/** Webhooks contain less than the API: no attribution, no stage times. */
function pickFields(item: Item, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, item[name] ?? null]))
}
const contactFields = ['id', 'firstName', 'lastName', 'email', 'phone', 'source', 'tags', 'dateAdded']
const opportunityFields = [
  'id',
  'name',
  'contactId',
  'monetaryValue',
  'pipelineId',
  'pipelineStageId',
  'status',
]

export function actOnLocation(
  book: LocationBook,
  action: string,
  args: Json,
  now: Date,
  serial: number,
): Happening {
  const at = now.toISOString()
  switch (action) {
    case 'webhook':
    case 'new_contact': {
      const id = seededHex(20, 'made contact', at, serial)
      const contact: Item = {
        id,
        locationId: book.id,
        firstName: textArg(args, 'first_name') ?? 'Nora',
        lastName: textArg(args, 'last_name') ?? 'Field',
        email: textArg(args, 'email') ?? `nora.${id.slice(0, 6)}@example.com`,
        phone: textArg(args, 'phone'),
        source: 'Consultation form',
        dateAdded: at,
        dateUpdated: at,
        attributionSource: {
          fbclid: textArg(args, 'fbclid'),
          gclid: textArg(args, 'gclid'),
        },
        attributions: [{ utmAdId: textArg(args, 'ad_id'), isFirst: true }],
      }
      book.put('contacts', id, contact)
      return { type: 'ContactCreate', fields: pickFields(contact, contactFields), result: { contact_id: id } }
    }
    case 'delete_contact': {
      const contact = chosen(book, 'contacts', textArg(args, 'contact_id'))
      book.put('contacts', contact.id, null)
      return {
        type: 'ContactDelete',
        fields: pickFields(contact, contactFields),
        result: { contact_id: contact.id },
      }
    }
    case 'move_stage': {
      const before = chosen(book, 'opportunities', textArg(args, 'opportunity_id'))
      const stage =
        textArg(args, 'stage_id') ?? book.stageId((textArg(args, 'stage') ?? 'Quote presented') as StageName)
      const value = numberArg(args, 'value') ?? before.monetaryValue
      const moved: Item = {
        ...before,
        pipelineStageId: stage,
        monetaryValue: value,
        updatedAt: at,
        lastStageChangeAt: at,
      }
      book.put('opportunities', moved.id, moved)
      return {
        type: 'OpportunityStageUpdate',
        fields: { ...pickFields(moved, opportunityFields), dateAdded: before.createdAt },
        result: { opportunity_id: moved.id, stage_id: stage },
      }
    }
    case 'set_status': {
      const before = chosen(book, 'opportunities', textArg(args, 'opportunity_id'))
      const changed: Item = {
        ...before,
        status: textArg(args, 'status') ?? 'won',
        updatedAt: at,
        lastStatusChangeAt: at,
      }
      book.put('opportunities', changed.id, changed)
      return {
        type: 'OpportunityStatusUpdate',
        fields: { ...pickFields(changed, opportunityFields), dateAdded: before.createdAt },
        result: { opportunity_id: changed.id },
      }
    }
    case 'delete_opportunity': {
      const deleted = chosen(book, 'opportunities', textArg(args, 'opportunity_id'))
      book.put('opportunities', deleted.id, null)
      return {
        type: 'OpportunityDelete',
        fields: { ...pickFields(deleted, opportunityFields), dateAdded: deleted.createdAt },
        result: { opportunity_id: deleted.id },
      }
    }
    case 'set_appointment': {
      const before = chosen(book, 'appointments', textArg(args, 'appointment_id'))
      const changed: Item = {
        ...before,
        appointmentStatus: textArg(args, 'status') ?? 'showed',
        dateUpdated: at,
      }
      book.put('appointments', changed.id, changed)
      return {
        type: 'AppointmentUpdate',
        fields: { appointment: changed },
        result: { appointment_id: changed.id },
      }
    }
    default:
      throw new Error(`Crmsuite's sandbox has no action ${action}`)
  }
}
