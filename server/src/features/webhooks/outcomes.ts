/** The replay: the same outcomes with the same ids as the webhooks, in the one order of their numbers. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { isHealthcare, type ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { isUuid } from '../../contract/ids.ts'
import { decodeCursor, encodeCursor } from '../../contract/page.ts'
import type { Db, Tx } from '../../db/database.ts'
import { logPersonAccess } from '../audit/operations.ts'
import { contactOf, type PersonContact, toContact } from '../identity/contact.ts'
import { isAlive } from '../identity/members.ts'
import { opensContact, tellPerson, toEnvelope } from './rules.ts'

const REPLAY_DAYS = 90
const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 256
/** Where few events are outcomes, so many are looked through at once. */
const MOST_NUMBERS = 20_000

export type ReplayQuery = {
  cursor?: string | undefined
  limit: number
  outcome_type?: string | undefined
  provider?: string | undefined
}

type OutcomeRow = {
  number: number
  id: string
  provider: string
  connection_id: string | null
  app_id: string | null
  occurred_at: Date
  /** As JSON. */
  data: string
  person_id: string
  contact: Partial<PersonContact> | null
}

/** A page as JSON text. It is read in parts, and each is written while the database is at the next. */
export async function replayOutcomes(context: ProfileContext, query: ReplayQuery) {
  const { profile, db } = context
  refuseHealthcare(context)
  const from = readCursor(profile.id, query.cursor)
  const open = canOpenContact(context)
  const since = new Date(context.now.getTime() - REPLAY_DAYS * DAY_MS)
  const asking = { profileId: profile.id, query, since, open }
  const texts: string[] = []
  const shown = new Set<string>()
  let found: OutcomeRow[] = []
  let last = from
  let left = query.limit
  let hasNext = false
  let at = from
  let span = 0
  for (let through = Number.POSITIVE_INFINITY; at < through && !hasNext; ) {
    const most = Math.min(left + 1, ROWS_AT_ONCE)
    span = Math.max(span, most)
    const [part] = await Promise.all([
      listOutcomes(db, { ...asking, after: at, until: at + span, most }),
      writeSoon(texts, found, open),
    ])
    through = part.lastNumber
    // A number that was never handed out is as foreign as another profile's.
    if (at > through) throw foreignCursor()
    const { rows } = part
    at = rows.length === most ? rows.at(-1)!.number : Math.min(at + span, through)
    if (rows.length < most / 2) span = Math.min(span * 4, MOST_NUMBERS)
    found = rows.slice(0, left)
    hasNext = rows.length > found.length
    left -= found.length
    last = found.at(-1)?.number ?? last
    for (const row of found) if (row.contact !== null) shown.add(row.person_id)
  }
  await Promise.all([
    shown.size > 0 && logPersonAccess(context, 'listRecordedOutcomes', [...shown]),
    writeSoon(texts, found, open),
  ])
  return {
    outcomes: `[${texts.join(',')}]`,
    pagination: { has_next: hasNext, cursor: writeCursor(profile.id, last) },
  }
}

/** The question asked beside it is on its way first. */
async function writeSoon(texts: string[], rows: readonly OutcomeRow[], open: boolean): Promise<void> {
  if (rows.length === 0) return
  await setImmediate()
  for (const row of rows) texts.push(toText(row, open))
}

/** The database's own text of the data is taken over: to read and to write it again would be a third of the work. */
function toText(row: OutcomeRow, open: boolean): string {
  const head = JSON.stringify(
    toEnvelope({
      id: row.id,
      type: 'outcome.recorded',
      provider: row.provider,
      occurredAt: row.occurred_at,
      appId: row.app_id,
      connectionId: row.connection_id,
      data: undefined,
    }),
  )
  const { customer_key, ...person } = tellPerson(null, { open, contact: toContact(row.contact) })
  // Quotes inside a text are escaped, so this can only be the field itself.
  const data =
    customer_key === null
      ? row.data
      : row.data.replace(NO_KEY, () => `"customer_key": ${JSON.stringify(customer_key)}`)
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},${JSON.stringify(person).slice(1)}}`
}

const NO_KEY = '"customer_key": null'

/** People of a healthcare profile are told to nobody but the app that provisioned it. */
function refuseHealthcare({ caller, profile }: ProfileContext): void {
  if (!isHealthcare(profile)) return
  const isProvisioner =
    caller.kind === 'key' && caller.appId !== null && caller.appId === profile.provisionedByAppId
  if (!isProvisioner)
    throw new ApiError(
      'healthcare_scope_forbidden',
      'This is a healthcare profile: its outcomes are replayed to the app that provisioned it.',
    )
}

function canOpenContact({ caller, profile, role }: ProfileContext): boolean {
  if (caller.kind === 'user')
    return (
      role !== null &&
      role !== 'viewer' &&
      (caller.via === 'session' || caller.scopes.includes('mcp:read_pii'))
    )
  const grant = { grant: caller.grant ?? '', scopes: caller.scopes }
  return opensContact([grant], caller.appId !== null && isHealthcare(profile))
}

function writeCursor(profileId: string, number: number): string {
  return encodeCursor(['outcomes', profileId, number])
}

function readCursor(profileId: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [kind, of, number, ...rest] = decodeCursor(cursor) ?? []
  const isOurs =
    kind === 'outcomes' &&
    of === profileId &&
    typeof number === 'number' &&
    Number.isSafeInteger(number) &&
    number >= 0 &&
    rest.length === 0
  if (!isOurs) throw foreignCursor()
  return number
}

const foreignCursor = () =>
  new ApiError('invalid_parameter', 'cursor: not one that this route gave out for this profile.')

/**
 * The outcomes among some numbers, and the profile's last number. No two events share one and they become visible in
 * their order, so what lies between two of them is bounded, whatever the planner makes of the rest. What differs from one
 * question to the next comes as a row of a function and the most that it may bring is a constant: one plan is kept,
 * instead of one made each time. Outcomes of people who were erased are left out: none of their identifiers leads
 * to a living customer.
 */
async function listOutcomes(
  db: Db | Tx,
  params: {
    profileId: string
    after: number
    until: number
    most: number
    query: ReplayQuery
    since: Date
    /** Whether the people are read too. */
    open: boolean
  },
): Promise<{ lastNumber: number; rows: OutcomeRow[] }> {
  const { profileId, after, until, most, query, since } = params
  const asked = [
    { after, until, most, since, outcome_type: query.outcome_type ?? null, provider: query.provider ?? null },
  ]
  const { rows } = await sql<OutcomeRow & { last_number: number }>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a(after bigint, until bigint, most integer, since timestamptz, outcome_type text, provider text))
    select coalesce((select c.last_number from outbox_counters c where c.profile_id = ${profileId}), 0) as last_number,
      told.*
    from asked
    left join lateral (
      select * from (
        select e.number, e.id, e.provider, e.connection_id, e.app_id, e.occurred_at,
          e.data::text as data, alive.id as person_id,
          ${params.open ? contactOf(profileId, sql.ref('alive.id')) : sql`null`} as contact
        from outbox_events e
        cross join lateral (
          select i.customer_id as id from identifiers i
          where i.profile_id = ${profileId} and i.id = e.customer_id
            and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive
        where e.profile_id = ${profileId} and e.number > asked.after and e.number <= asked.until
          and e.type = 'outcome.recorded' and coalesce(e.delivered_at, e.recorded_at) > asked.since
          and (asked.outcome_type is null or e.data->>'outcome_type' = asked.outcome_type)
          and (asked.provider is null or e.data->>'provider' = asked.provider)
        order by e.number limit ${sql.lit(ROWS_AT_ONCE)}) as next
      order by next.number limit asked.most) as told on true`.execute(db)
  const outcomes = rows.filter((row) => row.number !== null)
  return { lastNumber: rows[0]!.last_number, rows: outcomes.sort((a, b) => a.number - b.number) }
}

/** The id after which a page of deliveries begins. */
export function readDeliveryCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const [id] = decodeCursor(cursor) ?? []
  if (typeof id !== 'string' || !isUuid(id))
    throw new ApiError('invalid_parameter', 'cursor: not one that this route gave out.')
  return id
}
