/**
 * Requests that the platform refuses: unknown versions, parameters and members, limits out of range. Versions are those of
 * the published schema of each resource (GoHighLevel/highlevel-api-docs, read 2026-11-16) and the default of the official
 * client; parameters are those that the client sends (@gohighlevel/api-client 3.1.0), and a test compares them with it.
 */
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'

export const failure = (status: number, error: string, message: string): SandboxReply => ({
  status,
  body: { statusCode: status, error, message },
})

const splitWords = (list: string) => list.trim().split(/\s+/)

export const queryParameters = {
  searchOpportunity: splitWords(`
    q location_id pipeline_id pipeline_stage_id contact_id status assigned_to campaignId id order endDate startAfter
    startAfterId date country page limit getTasks getNotes getCalendarEvents`),
  getPipelines: ['locationId'],
  getCalendars: ['locationId', 'groupId', 'showDrafted'],
  getCalendarEvents: ['locationId', 'userId', 'calendarId', 'groupId', 'startTime', 'endTime'],
  getInstalledLocation: splitWords(`
    skip limit query isInstalled companyId appId versionId onTrial planId locationId`),
} as const

const routes: Record<string, readonly string[]> = {
  '/opportunities/search': queryParameters.searchOpportunity,
  '/opportunities/pipelines': queryParameters.getPipelines,
  '/calendars/': queryParameters.getCalendars,
  '/calendars/events': queryParameters.getCalendarEvents,
  '/oauth/installedLocations': queryParameters.getInstalledLocation,
}

export const unprocessable = (message: string) => failure(422, 'Unprocessable Entity', message)

export function refusedParameters(request: SandboxRequest): SandboxReply | null {
  const allowed = routes[request.path]
  const unknown = allowed && [...request.query.keys()].find((name) => !allowed.includes(name))
  return unknown === undefined ? null : unprocessable(`property ${unknown} should not exist`)
}

const CLIENTS_OWN = '2023-02-21'

export function refusedVersion(request: SandboxRequest): SandboxReply | null {
  const expectedVersion = request.path.startsWith('/calendars') ? '2021-04-15' : '2021-07-28'
  const { version } = request.headers
  if (version === undefined) return failure(401, 'Unauthorized', 'version header was not found.')
  if (version === expectedVersion || version === CLIENTS_OWN) return null
  return failure(401, 'Unauthorized', 'version header is invalid')
}

const searchMembers = ['locationId', 'page', 'pageLimit', 'searchAfter', 'filters', 'sort', 'query']
const searchFields = ['dateUpdated', 'dateAdded', 'email', 'phone', 'tags', 'source', 'id']

export function refusedSearch(body: Record<string, unknown>): SandboxReply | null {
  const unknown = Object.keys(body).find((name) => !searchMembers.includes(name))
  if (unknown !== undefined) return unprocessable(`property ${unknown} should not exist`)
  if (Number(body.pageLimit ?? 20) > 500) return unprocessable('pageLimit must not be greater than 500')
  const filters = (body.filters ?? []) as { field: string }[]
  const field = filters.find((filter) => !searchFields.includes(filter.field))?.field
  return field === undefined ? null : unprocessable(`Invalid field: ${field}`)
}
