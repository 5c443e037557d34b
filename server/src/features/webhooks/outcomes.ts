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
import { lastNumber } from './queries.ts'
import { opensContact, tellPerson, toEnvelope } from './rules.ts'

const REPLAY_DAYS = 90
const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 256

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
  const read = (after: number, limit: number) =>
    listOutcomes(db, {
      profileId: profile.id,
      after,
      outcomeType: query.outcome_type ?? null,
      provider: query.provider ?? null,
      since: new Date(context.now.getTime() - REPLAY_DAYS * DAY_MS),
      limit,
      open,
    })
  const texts: string[] = []
  const shown = new Set<string>()
  let last = from
  let left = query.limit
  let found: OutcomeRow[] = []
  let hasMore = true
  let hasNext = false
  while (hasMore) {
    const asked = Math.min(left + 1, ROWS_AT_ONCE)
    const [rows] = await Promise.all([read(last, asked), writeSoon(texts, found, open)])
    found = rows.slice(0, left)
    hasMore = rows.length === asked && asked <= left
    hasNext = rows.length > found.length
    left -= found.length
    last = found.at(-1)?.number ?? last
    for (const row of found) if (row.contact !== null) shown.add(row.person_id)
  }
  // An event behind it shows that a number was handed out.
  if (last === from) await refuseUnknown(db, profile.id, from)
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

/** A number that was never handed out is as foreign as another profile's. */
async function refuseUnknown(db: Db | Tx, profileId: string, number: number): Promise<void> {
  if (number > 0 && number > (await lastNumber(db, { profileId }))) throw foreignCursor()
}

const foreignCursor = () =>
  new ApiError('invalid_parameter', 'cursor: not one that this route gave out for this profile.')

/**
 * Outcomes of people who were erased are left out: none of their identifiers leads to a living customer. What
 * differs from one question to the next comes as a row of a function and the most that it may bring is a constant,
 * so that the planner keeps one plan instead of making one each time, which would take a tenth of the work.
 */
async function listOutcomes(
  db: Db | Tx,
  params: {
    profileId: string
    after: number
    outcomeType: string | null
    provider: string | null
    since: Date
    limit: number
    /** Whether the people are read too. */
    open: boolean
  },
): Promise<OutcomeRow[]> {
  const { profileId } = params
  const asked = [
    {
      after: params.after,
      outcome_type: params.outcomeType,
      provider: params.provider,
      since: params.since,
      most: params.limit,
    },
  ]
  const { rows } = await sql<OutcomeRow>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a(after bigint, outcome_type text, provider text, since timestamptz, most integer))
    select told.* from asked
    cross join lateral (
      select * from (
        select e.number, e.id, e.provider, e.connection_id, e.app_id, e.occurred_at,
          e.data::text as data, alive.id as person_id,
          ${params.open ? contactOf(profileId, sql.ref('alive.id')) : sql`null`} as contact
        from outbox_events e
        cross join lateral (
          select i.customer_id as id from identifiers i
          where i.profile_id = ${profileId} and i.id = e.customer_id
            and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive
        where e.profile_id = ${profileId} and e.number > asked.after and e.type = 'outcome.recorded'
          and coalesce(e.delivered_at, e.recorded_at) > asked.since
          and (asked.outcome_type is null or e.data->>'outcome_type' = asked.outcome_type)
          and (asked.provider is null or e.data->>'provider' = asked.provider)
        order by e.number limit ${sql.lit(ROWS_AT_ONCE)}) as next
      order by next.number limit asked.most) as told`.execute(db)
  return rows.sort((a, b) => a.number - b.number)
}

/** The id after which a page of deliveries begins. */
export function readDeliveryCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const [id] = decodeCursor(cursor) ?? []
  if (typeof id !== 'string' || !isUuid(id))
    throw new ApiError('invalid_parameter', 'cursor: not one that this route gave out.')
  return id
}
