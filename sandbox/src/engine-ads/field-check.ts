/** Refuses the queries that the platform refuses: unknown fields, and clicks of more than one day or of too old days. */
import { daysBetween } from '../days.ts'
import type { SandboxReply } from '../sandbox.ts'
import { adsFields } from './fields.ts'
import type { GaqlQuery } from './gaql.ts'
import { adsError } from './refusals.ts'

const maxClickAgeDays = 90

export function refuseQuery(query: GaqlQuery, today: string): SandboxReply | null {
  const fieldNames = [
    ...query.fields,
    ...query.conditions.map(({ field }) => field),
    ...(query.orderBy ? [query.orderBy.field] : []),
  ]
  const unknown = fieldNames.find((field) => !isField(field))
  if (unknown !== undefined)
    return refuse('UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${unknown}'.`)
  return query.resource === 'click_view' ? refuseClicks(query, today) : null
}

function isField(field: string): boolean {
  const [resource = '', name = '', inner] = field.split('.')
  if (adsFields[resource]?.has(name) !== true) return false
  return resource !== 'ad_group_ad' || name !== 'ad' || (inner !== undefined && adsFields.ad!.has(inner))
}

function refuseClicks(query: GaqlQuery, today: string): SandboxReply | null {
  const dated = query.conditions.filter(({ field }) => field === 'segments.date')
  if (dated.length === 0)
    return refuse(
      'EXPECTED_FILTERS_ON_DATE_RANGE',
      'Queries including ClickView must have a filter limiting the results to one day.',
    )
  const day = dated.length === 1 ? dated[0]!.equals : null
  if (day === null) return refuse('DATE_RANGE_TOO_WIDE', 'Clicks can be asked for one day at a time.')
  return daysBetween(day, today) > maxClickAgeDays
    ? refuse('DATE_RANGE_TOO_WIDE', 'Clicks can be asked for 90 days back.')
    : null
}

const refuse = (code: string, message: string): SandboxReply =>
  adsError(400, 'INVALID_ARGUMENT', 'queryError', code, message)
