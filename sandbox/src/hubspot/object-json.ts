import type { CrmObject, ObjectType } from './records.ts'

type Json = Record<string, unknown>

export const portalId = 48_151_623

const defaults: Record<ObjectType, readonly string[]> = {
  contacts: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  deals: [
    'amount',
    'closedate',
    'createdate',
    'dealname',
    'dealstage',
    'hs_lastmodifieddate',
    'hs_object_id',
    'pipeline',
  ],
}

/** Requested properties or the defaults; search and batch responses never have associations. */
export function objectJson(
  type: ObjectType,
  object: CrmObject,
  requestedNames: readonly string[] = [],
): Json {
  const nonEmptyNames = requestedNames.filter((name) => name !== '')
  const names = new Set([
    ...(nonEmptyNames.length === 0 ? defaults[type] : nonEmptyNames),
    'hs_object_id',
    'createdate',
  ])
  return {
    id: object.id,
    properties: Object.fromEntries([...names].map((name) => [name, object.properties[name] ?? null])),
    createdAt: object.createdAt,
    updatedAt: object.updatedAt,
    archived: object.archivedAt !== null,
    ...(object.archivedAt === null ? {} : { archivedAt: object.archivedAt }),
    url: `https://app.hubspot.com/contacts/${portalId}/record/${type === 'contacts' ? '0-1' : '0-3'}/${object.id}`,
  }
}
