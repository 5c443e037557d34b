/** Imitates Search Console: a person's sites and their search queries. */

import { actInCommon } from '../actions.ts'
import { worldDays } from '../ads.ts'
import { addDays, daysBetween, localTime, weekday } from '../days.ts'
import { engineError, engineSandboxOAuth } from '../engine-oauth.ts'
import { createFaults } from '../faults.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex, seededRandom } from '../seeded-random.ts'
import type { Grant } from '../tokens.ts'

const scope = 'https://www.googleapis.com/auth/webmasters.readonly'
const queries = [
  ['harbor and pine', '/', 90],
  ['harbor & pine kitchens', '/', 40],
  ['kitchen renovation near me', '/kitchens', 34],
  ['solid oak kitchen', '/kitchens/oak', 22],
  ['kitchen showroom appointment', '/showroom', 16],
  ['how long does a kitchen renovation take', '/guides/nine-days', 28],
  ['walnut cutting board', '/shop/boards', 30],
  ['cutting board oil', '/shop/oil', 18],
  ['soft close drawers', '/guides/drawers', 14],
  ['kitchen plan price', '/prices', 12],
] as const

type Row = { keys: string[]; clicks: number; impressions: number; ctr: number; position?: number }

type QueryParameters = {
  startDate: string
  endDate: string
  rowLimit?: number
  startRow?: number
  dimensions?: string[]
  dataState?: string
}

/** Names and bounds of the API reference for searchAnalytics.query, read on 2026-11-16. */
const allowed: Record<string, readonly string[]> = {
  dimensions: ['country', 'date', 'device', 'hour', 'page', 'query', 'searchAppearance'],
  dataState: ['all', 'final', 'hourly_all'],
  fields: [
    'startDate',
    'endDate',
    'dimensions',
    'type',
    'searchType',
    'dimensionFilterGroups',
    'aggregationType',
    'rowLimit',
    'startRow',
    'dataState',
  ],
}
const maxRowLimit = 25_000

function problemWith(parameters: QueryParameters): string | null {
  const unknown = Object.keys(parameters).find((field) => !allowed.fields!.includes(field))
  if (unknown !== undefined) return `Invalid JSON payload received. Unknown name "${unknown}"`
  const days = [parameters.startDate, parameters.endDate]
  if (days.some((day) => !/^\d{4}-\d{2}-\d{2}$/.test(day ?? ''))) return 'Invalid date.'
  if (parameters.startDate > parameters.endDate) return 'startDate must be before endDate.'
  const { rowLimit = 1000, startRow = 0 } = parameters
  if (rowLimit < 1 || rowLimit > maxRowLimit) return `rowLimit must be between 1 and ${maxRowLimit}.`
  if (startRow < 0) return 'startRow must not be negative.'
  const dimension = parameters.dimensions?.find((name) => !allowed.dimensions!.includes(name))
  if (dimension !== undefined) return `Invalid dimension: ${dimension}`
  return parameters.dataState === undefined || allowed.dataState!.includes(parameters.dataState)
    ? null
    : `Invalid dataState: ${parameters.dataState}`
}

export function createSearchConsoleSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  let longTail = 0
  const tail = seededHex(6, options.seed, 'site')
  const sites = [`sc-domain:harborandpine-${tail}.example`, `https://shop.harborandpine-${tail}.example/`]
  const oauth = engineSandboxOAuth(options, {
    providerName: 'Google Search Console',
    accounts: sites.map((id) => ({ id, name: id })),
    scopes: [scope],
  })

  function rowsOf(site: string, day: string): Row[] {
    const age = daysBetween(day, localTime(options.now(), 'America/Los_Angeles').day)
    if (age < 1 || age >= worldDays) return []
    const origin = site.startsWith('sc-domain:')
      ? `https://${site.slice('sc-domain:'.length)}`
      : site.slice(0, -1)
    const weekend = weekday(day) === 0 || weekday(day) === 6 ? 1.25 : 1
    const rare = Array.from(
      { length: longTail },
      (_, index) => [`kitchen idea ${index}`, '/guides', 1] as const,
    )
    return [...queries, ...rare]
      .flatMap(([query, path, base]): Row[] => {
        const random = seededRandom(options.seed, site, query, day)
        const impressions = Math.round(
          base * 10 * weekend * (0.7 + random.next() * 0.6) * (age === 1 ? 0.8 : 1),
        )
        const clicks = Math.round(impressions * (0.02 + random.next() * 0.08))
        const position = 1 + (100 - base) / 12 + random.next()
        if (impressions === 0) return []
        const row = { keys: [query, `${origin}${path}`], clicks, impressions, ctr: clicks / impressions }
        return [random.chance(0.03) ? row : { ...row, position }]
      })
      .sort((a, b) => b.clicks - a.clicks)
  }

  function query(request: SandboxRequest, site: string): SandboxReply {
    const parameters = JSON.parse(new TextDecoder().decode(request.body)) as QueryParameters
    const problem = problemWith(parameters)
    if (problem !== null) return engineError(400, 'INVALID_ARGUMENT', problem)
    const rows: Row[] = []
    for (let day = parameters.startDate; day <= parameters.endDate; day = addDays(day, 1))
      rows.push(...rowsOf(site, day))
    const start = parameters.startRow ?? 0
    const pageRows = rows.slice(start, start + (parameters.rowLimit ?? 1000))
    return {
      status: 200,
      body: { ...(pageRows.length > 0 ? { rows: pageRows } : {}), responseAggregationType: 'byPage' },
    }
  }

  function api(request: SandboxRequest, grant: Grant): SandboxReply {
    const [, version, , collection, site, service, verb] = request.path.split('/')
    if (`${version}/${collection}` !== 'webmasters/sites') return engineError(404, 'NOT_FOUND', 'Not found')
    if (site === undefined) {
      const siteEntry = grant.accountIds.map((siteUrl) => ({ siteUrl, permissionLevel: 'siteOwner' }))
      return { status: 200, body: siteEntry.length > 0 ? { siteEntry } : {} }
    }
    const siteUrl = decodeURIComponent(site)
    if (!grant.accountIds.includes(siteUrl)) {
      const errors = [{ domain: 'global', reason: 'forbidden' }]
      return engineError(
        403,
        'PERMISSION_DENIED',
        `User does not have sufficient permission for '${siteUrl}'.`,
        {
          errors,
        },
      )
    }
    return `${service}/${verb}` === 'searchAnalytics/query'
      ? query(request, siteUrl)
      : engineError(404, 'NOT_FOUND', 'Not found')
  }

  return {
    name: 'engine_search_console',
    handle: (request) => faults.apply(request, () => oauth.answer(request, api)),
    fault: faults.add,
    exports: () => [],
    writes: () => [],
    async act(action, args) {
      const { tokens } = oauth
      const done = actInCommon({ tokens, faults, reset: () => oauth.tickPermission() }, action, args)
      if (done !== null) return done
      switch (action) {
        case 'long_tail':
          longTail = Number(args.queries)
          return {}
        case 'untick_permission':
          oauth.untickPermission(null)
          return {}
        default:
          throw new Error(`The engine_search_console sandbox has no action ${action}`)
      }
    },
  }
}
