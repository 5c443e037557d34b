/** Replays outcomes with the same ids as the webhooks, in order of their numbers. */

import { setImmediate } from 'node:timers/promises'
import { isHealthcare, type ProfileContext } from '../../../../context.ts'
import { dpaNotAccepted } from '../../../../platform/access/dpa.ts'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { decodeCursor, encodeCursor, readIdCursor } from '../../../../platform/contract/page.ts'
import { accepted } from '../../../../platform/contract/refusal.ts'
import { toContact } from '../../../facts/identity/contact.ts'
import { isHistorical, opensContact, redactPerson, toEnvelope } from '../rules.ts'
import { listOutcomes, MAX_ROWS, type OutcomeRow } from './replay-rows.ts'

const REPLAY_DAYS = 90
/** Maximum range of event numbers per query; the range grows while few events are outcomes. */
const MAX_SPAN = 20_000

export type ReplayQuery = {
  cursor?: string | undefined
  limit: number
  outcome_type?: string | undefined
  provider?: string | undefined
}

/** Returns a page as JSON text. It is read in parts; each part is serialised while the database reads the next. */
export async function listRecordedOutcomes(context: ProfileContext, query: ReplayQuery) {
  const { profile, db } = context
  refuseHealthcare(context)
  const from = readCursor(profile.id, query.cursor)
  const open = canOpenContact(context)
  const since = new Date(context.now.getTime() - REPLAY_DAYS * DAY_MS)
  const filter = {
    profileId: profile.id,
    outcomeType: query.outcome_type ?? null,
    provider: query.provider ?? null,
    since,
    open,
  }
  const texts: string[] = []
  let pageRows: OutcomeRow[] = []
  let last = from
  let remaining = query.limit
  let hasNext = false
  let at = from
  let span = 0
  for (let through = Number.POSITIVE_INFINITY; at < through && !hasNext; ) {
    const most = Math.min(remaining + 1, MAX_ROWS)
    span = Math.max(span, most)
    const [part] = await Promise.all([
      listOutcomes(db, { ...filter, after: at, until: at + span, most }),
      serialiseRows(texts, pageRows, open),
    ])
    through = part.lastNumber
    // The cursor contains a number that was never assigned.
    if (at > through) throw invalidCursor()
    const { rows } = part
    at = rows.length === most ? rows.at(-1)!.number : Math.min(at + span, through)
    if (rows.length < most / 2) span = Math.min(span * 4, MAX_SPAN)
    pageRows = rows.slice(0, remaining)
    hasNext = rows.length > pageRows.length
    remaining -= pageRows.length
    last = pageRows.at(-1)?.number ?? last
    for (const row of pageRows) if (row.contact !== null) context.shown.add(row.person_id)
  }
  await serialiseRows(texts, pageRows, open)
  return {
    outcomes: `[${texts.join(',')}]`,
    pagination: { has_next: hasNext, cursor: writeCursor(profile.id, last) },
  }
}

/** Yields first, so that the query of the next part is sent before the CPU work. */
async function serialiseRows(texts: string[], rows: readonly OutcomeRow[], open: boolean): Promise<void> {
  if (rows.length === 0) return
  await setImmediate()
  for (const row of rows) texts.push(toText(row, open))
}

/** Uses the JSON text of the database: parsing and serialising it again would be a third of the work. */
function toText(row: OutcomeRow, open: boolean): string {
  const head = JSON.stringify(
    toEnvelope({
      id: row.id,
      type: 'outcome.recorded',
      provider: row.provider,
      occurredAt: row.occurred_at,
      appId: row.app_id,
      connectionId: row.connection_id,
      isHistorical: isHistorical({ occurredAt: row.occurred_at, recordedAt: row.recorded_at }),
      data: undefined,
    }),
  )
  const { customer_key, ...person } = redactPerson(null, { open, contact: toContact(row.contact) })
  // Quotes inside strings are escaped, so the match can only be the field itself.
  const data =
    customer_key === null
      ? row.data
      : row.data.replace(NO_KEY, () => `"customer_key": ${JSON.stringify(customer_key)}`)
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},${JSON.stringify(person).slice(1)}}`
}

const NO_KEY = '"customer_key": null'

/** Outcomes of a healthcare profile are replayed only to the app that provisioned it. */
function refuseHealthcare({ caller, profile }: ProfileContext): void {
  if (!isHealthcare(profile)) return
  const isProvisioner =
    caller.kind === 'key' && caller.appId !== null && caller.appId === profile.provisionedByAppId
  if (!isProvisioner)
    throw new ApiError(
      'healthcare_scope_forbidden',
      'This is a healthcare profile: its outcomes are replayed only to the app that provisioned it.',
    )
  if (caller.lacksDpa) throw dpaNotAccepted()
}

function canOpenContact({ caller, profile, scopes }: ProfileContext): boolean {
  if (caller.kind === 'user') return scopes.includes('customers:read')
  const grant = { grant: caller.grant ?? '', scopes: caller.scopes }
  return opensContact([grant], caller.appId !== null && isHealthcare(profile))
}

function writeCursor(profileId: string, number: number): string {
  return encodeCursor(['outcomes', profileId, number])
}

/** Accepts cursors of any profile if `profileId` is null. */
export function readCursor(profileId: string | null, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [kind, cursorProfileId, number, ...rest] = decodeCursor(cursor) ?? []
  const isOurs =
    kind === 'outcomes' &&
    (cursorProfileId === profileId || profileId === null) &&
    typeof number === 'number' &&
    Number.isSafeInteger(number) &&
    number >= 0 &&
    rest.length === 0
  if (!isOurs) throw invalidCursor()
  return number
}

const invalidCursor = () =>
  new ApiError('invalid_parameter', 'is not a cursor of this route and profile.', { field: 'cursor' })

export const readDeliveryCursor = (cursor: string | undefined) => accepted(readIdCursor(cursor))
