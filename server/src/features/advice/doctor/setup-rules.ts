/** Problems with connections, goals and merged customers. Pure. */
import {
  type ApiVersionName,
  apiVersions,
  versionEndError,
  versionEndWarning,
} from '../../../connectors/versions.ts'
import { clockWarning } from '../../../platform/clock-difference.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import type { Installation } from './installation.ts'
import type { ConnectionRow, DataRequestRow, GoalRow, LargeCustomerRow } from './queries/setup.ts'
import { example, finding, notApplicable, ok, total, type Verdict } from './verdict-rules.ts'

const HALF_YEAR = 182

/** Time zones are equivalent if their days start at the same time in summer and in winter. */
function haveSameDays(zone: string, otherZone: string, day: string): boolean {
  const startOf = (date: string, inZone: string) => dayBounds(date, inZone).start.getTime()
  return [day, addDays(day, -HALF_YEAR)].every((date) => startOf(date, zone) === startOf(date, otherZone))
}

const ofConnections = (affected: readonly ConnectionRow[], detailOf: (row: ConnectionRow) => string) => ({
  count: affected.length,
  valueMinor: total(affected, (row) => row.spend_minor),
  since: null,
  examples: affected.map((row) => example('connection', row.id, { detail: `${row.name}: ${detailOf(row)}` })),
})

export function assessZones(connections: readonly ConnectionRow[], zone: string, today: string): Verdict {
  const accounts = connections.filter((row) => row.is_ads && row.timezone !== null)
  if (accounts.length === 0) return notApplicable
  const affected = accounts.filter((row) => !haveSameDays(row.timezone!, zone, today))
  if (affected.length === 0) return ok
  return finding(
    'warning',
    ofConnections(affected, (row) => `days in ${row.timezone}, the profile’s in ${zone}`),
  )
}

const STALE_MS = 2 * DAY_MS

export function assessConnections(connections: readonly ConnectionRow[], now: Date): Verdict {
  if (connections.length === 0) return notApplicable
  const isStale = (row: ConnectionRow) =>
    row.has_sync && now.getTime() - (row.last_success_at ?? row.created_at).getTime() > STALE_MS
  const affected = connections.filter((row) => row.status !== 'connected' || isStale(row))
  if (affected.length === 0) return ok
  return finding(
    'problem',
    ofConnections(affected, (row) =>
      row.status === 'connected'
        ? `no complete sync since ${row.last_success_at?.toISOString().slice(0, 10) ?? 'it was connected'}`
        : row.status,
    ),
  )
}

/** Connections whose platform ends the API version in use within ninety days, or has ended it. */
export function assessVersions(
  connections: readonly ConnectionRow[],
  { versions }: Pick<Installation, 'versions'>,
  today: string,
): Verdict {
  const isCalled = (name: string): name is ApiVersionName => name in versions
  const called = connections.filter(({ provider }) => isCalled(provider))
  if (called.length === 0) return notApplicable
  const all = { ...apiVersions, ...versions }
  const messageOf = ({ provider }: ConnectionRow, of: typeof versionEndError) =>
    isCalled(provider) ? of(provider, today, all) : null
  const ended = called.filter((row) => messageOf(row, versionEndError) !== null)
  const affected = [...ended, ...called.filter((row) => messageOf(row, versionEndWarning) !== null)]
  if (affected.length === 0) return ok
  return finding(
    ended.length > 0 ? 'problem' : 'warning',
    ofConnections(affected, (row) => {
      const { version, aliveUntil } = all[row.provider as ApiVersionName]
      return `API version ${version}, expected to end after ${aliveUntil}`
    }),
  )
}

/** Running processes whose clock differs from the database's by more than a minute. */
export function assessServiceClock({ clocks }: Pick<Installation, 'clocks'>): Verdict {
  const known = clocks.flatMap(({ host, clock_ahead_seconds: ahead }) =>
    ahead === null ? [] : [{ host, ahead }],
  )
  if (known.length === 0) return notApplicable
  const affected = known.filter(({ ahead }) => clockWarning(ahead) !== undefined)
  if (affected.length === 0) return ok
  return finding('problem', {
    count: affected.length,
    valueMinor: null,
    since: null,
    examples: affected.map(({ host, ahead }) =>
      example('process', host, {
        detail: `${Math.round(Math.abs(ahead))} s ${ahead > 0 ? 'ahead' : 'behind'}`,
      }),
    ),
  })
}

const UNMET_MS = 2 * DAY_MS

export function assessGoals(goals: readonly GoalRow[], now: Date): Verdict {
  const matureGoals = goals.filter((goal) => now.getTime() - goal.created_at.getTime() > UNMET_MS)
  if (matureGoals.length === 0) return notApplicable
  const affected = matureGoals.filter((goal) => !goal.is_met)
  if (affected.length === 0) return ok
  return finding('warning', {
    count: affected.length,
    valueMinor: null,
    since: null,
    examples: affected.map((goal) =>
      example('goal', goal.id, { detail: `${goal.name}: waits for ${goal.event_names.join(', ')}` }),
    ),
  })
}

/** Maximum plausible number of identifiers of one kind per person. */
export const MAX_IDENTIFIERS = 5

export function assessLarge(customers: readonly LargeCustomerRow[]): Verdict {
  if (customers.length === 0) return ok
  return finding('warning', {
    count: customers.length,
    valueMinor: total(customers, (row) => row.value_minor),
    since: null,
    examples: customers.map((row) =>
      example('customer', row.customer_id, { count: row.identifiers, detail: 'identifiers of one kind' }),
    ),
  })
}

/** A warning in the last days before the due day, then a problem. */
export const WARNING_DAYS = 5

export function assessDataRequests(requests: readonly DataRequestRow[], today: string): Verdict {
  if (requests.length === 0) return ok
  return finding(requests.some((row) => row.due_on < today) ? 'problem' : 'warning', {
    count: requests.length,
    valueMinor: null,
    since: null,
    examples: requests.map((row) => example('data_request', row.id, { detail: `due on ${row.due_on}` })),
  })
}
