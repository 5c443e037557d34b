/** Queries of the exported tables. Each selects the columns of `source-columns.ts`. */

import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { readCopyIn } from '../../../platform/db/copy/copy-in-transaction.ts'
import type { CopyRow } from '../../../platform/db/copy/copy-out.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { localDayOf } from '../../../platform/db/local-day.ts'
import { COUNTED } from '../../attribution/crediting/incremental/journeys.ts'
import { storedCredit, storedDelivery } from '../../figures/rollups/raw-rows.ts'
import { sourceColumns } from './source-columns.ts'
import { type ExportTable, SCHEMA_VERSION, type TableName } from './tables.ts'

export type RowScope = {
  profileId: string
  timezone: string
  currency: string
  includeIdentifiers: boolean
}

const nothing = sql`null::text`

function hashOfTrait(scope: RowScope, trait: 'email' | 'phone'): RawBuilder<unknown> {
  if (!scope.includeIdentifiers) return nothing
  return sql`(select encode(sha256(convert_to(t.value, 'UTF8')), 'hex') from identity_traits t
    where t.profile_id = ${scope.profileId} and t.identifier_id = i.id and t.trait = ${sql.lit(trait)}
    order by t.observed_at desc, t.event_id desc limit 1)`
}

const localDay = ({ timezone }: RowScope, column: string) => localDayOf(sql.ref(column), timezone)

function entities(level: string) {
  return ({ profileId }: RowScope) => sql`
    select e.id, e.external_id, e.name, e.source, e.campaign_id, e.ad_set_id, e.status, e.objective, e.currency,
      e.daily_budget_minor, e.lifetime_budget_minor,
      case when c.id is not null then c.source when s.id is not null then s.source else e.source end as top_source
    from ad_entities e
    left join ad_entities c on c.profile_id = ${profileId} and c.id = e.campaign_id
    left join ad_entities s on s.profile_id = ${profileId} and s.id = e.ad_set_id
    where e.profile_id = ${profileId} and e.level = ${sql.lit(level)}`
}

export const selects: Record<TableName, (scope: RowScope) => RawBuilder<unknown>> = {
  events: (scope) => sql`
    select ${localDay(scope, 'occurred_at')} as day, id as event_id, occurred_at, received_at, name, source, provider, is_bot
    from events where profile_id = ${scope.profileId}`,
  customers: ({ profileId }) => sql`
    select customer_id, count(*)::bigint as identifiers from identifiers where profile_id = ${profileId} group by customer_id`,
  identities: (scope) => sql`
    select i.id as identifier_id, i.customer_id, ${hashOfTrait(scope, 'email')} as email_sha256,
      ${hashOfTrait(scope, 'phone')} as phone_sha256
    from identifiers i where i.profile_id = ${scope.profileId}`,
  touches: (scope) => sql`
    select ${localDay(scope, 'occurred_at')} as day, id as touch_id, identifier_id, occurred_at, recorded_at, channel, platform,
      origin, is_direct, campaign_external_id, ad_set_external_id, ad_external_id, utm_source, utm_medium, utm_campaign,
      referrer_host, click_id is not null as has_click_id, click_id_kind
    from touches where profile_id = ${scope.profileId}`,
  conversions: ({ profileId }) => sql`
    select day, id as conversion_id, event_id, identifier_id, goal_id, occurred_at, recorded_at, outcome_type, revenue_type,
      currency, value_minor, report_value_minor, ${sql.raw(COUNTED)} as is_counted, attribution_eligible, provider, duplicate_of
    from conversions where profile_id = ${profileId}`,
  payments: (scope) => sql`
    select ${localDay(scope, 'p.occurred_at')} as day, p.id as payment_id, p.event_id, p.identifier_id, p.occurred_at,
      p.recorded_at, p.provider, p.status, p.currency, p.value_minor, v.report_value_minor, p.is_first_payment,
      p.is_first_balance, p.is_installment
    from payments p
    left join conversions v on v.profile_id = ${scope.profileId} and v.recorded_at = p.recorded_at and v.event_id = p.event_id
      and v.revenue_type = 'cash'
    where p.profile_id = ${scope.profileId}`,
  refunds: ({ profileId }) => sql`
    select day, id as refund_id, payment_id, occurred_at, recorded_at, kind, currency, amount_minor, report_amount_minor
    from refunds where profile_id = ${profileId}`,
  credits: ({ profileId }) => sql`
    select v.day, v.id as conversion_id, c.packed
    from credits c join conversions v on v.profile_id = ${profileId} and v.id = c.conversion_id
    where c.profile_id = ${profileId}`,
  paths: ({ profileId }) => sql`
    select p.number as path_id, p.campaign_id, p.ad_set_id, p.ad_id, p.platform, p.source, e.source as top_source
    from ad_paths p
    left join ad_entities e on e.profile_id = ${profileId} and e.id = coalesce(p.campaign_id, p.ad_set_id, p.ad_id)
    where p.profile_id = ${profileId}`,
  campaigns: entities('campaign'),
  ad_sets: entities('ad_set'),
  ads: entities('ad'),
  ad_versions: ({ profileId }) => sql`
    select entity_id, replaced_at, name, status, campaign_id, ad_set_id, daily_budget_minor, currency
    from ad_entity_versions where profile_id = ${profileId}`,
  creatives: ({ profileId }) => sql`
    select ad_id, format, title, body, cta_type, landing_host, duration_ms, card_count
    from ad_creatives where profile_id = ${profileId}`,
  delivery: ({ profileId }) => storedDelivery(profileId),
  rates: ({ profileId, currency }) => sql`
    select f.day, f.currency, f.base, f.rate::text as rate, 'reference' as origin from fx_rates f
    where f.currency in (
      select currency from conversions where profile_id = ${profileId} union select currency from payments
      where profile_id = ${profileId} union select currency from refunds where profile_id = ${profileId}
      union select currency from ad_delivery where profile_id = ${profileId} union select ${currency}::text)
    union all
    select day, currency, target, rate::text, 'entered' from entered_rates where profile_id = ${profileId}`,
  daily: ({ profileId }) => storedCredit(profileId),
}

/** `day` is null for tables that are not split by day. */
export type Partition = { day: string | null; rows: number; fingerprint: string }

/** Hash of the binary row: converting it to text would take longer than hashing. */
const rowHash = sql`hash_record_extended(row(record_send(t)), 0)`

/** Equal row counts and hash sums mean equal rows. The schema version covers changes of computed columns. */
export const toFingerprint = (rows: number, sumOfHashes: bigint | string): string =>
  `${SCHEMA_VERSION}.${rows}:${sumOfHashes}`

/** An export statement may read a whole table, and rows are encoded while it runs. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000

export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(tx)
}

/** Row count and fingerprint of each day. Scans the table once. */
export async function listPartitions(tx: Tx, table: ExportTable, scope: RowScope): Promise<Partition[]> {
  const day = table.byDay ? sql`t.day` : sql`null::date`
  const { rows } = await sql<{ day: string | null; rows: number; sum: string }>`
    select ${day} as day, count(*)::bigint as rows, sum(${rowHash})::text as sum
    from (${selects[table.name](scope)}) t group by 1 order by 1`.execute(tx)
  return rows.map(({ day, rows, sum }) => ({ day, rows, fingerprint: toFingerprint(rows, sum) }))
}

/** Streams rows by binary COPY, ordered by day: the columns of `sourceColumns`, then the row's hash. `days` null: all. */
export async function readRows(
  tx: Tx,
  table: ExportTable,
  scope: RowScope,
  days: readonly string[] | null,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  const columns = sourceColumns(table)
  const key = sql.ref(`t.${table.columns[table.byDay ? 1 : 0]!.name}`)
  const ofDays = days === null ? sql`` : sql`where t.day = any(${sql.lit(`{${days.join(',')}}`)}::date[])`
  const query = sql`
    select ${sql.join(columns.map(({ name }) => sql.ref(`t.${name}`)))}, ${rowHash} from (${selects[table.name](scope)}) t
    ${ofDays} order by ${table.byDay ? sql`t.day, ${key}` : key}`.compile(tx)
  await readCopyIn(tx, `copy (${withLiterals(query)}) to stdout (format binary)`, columns.length + 1, onRow)
}

/** COPY does not accept parameters. The parameters of `selects` are ids and currency codes, so they need no quoting. */
function withLiterals({ sql: text, parameters }: CompiledQuery): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => {
    const value = parameters[Number(number) - 1]
    if (typeof value !== 'string' || !/^[\w-]*$/.test(value))
      throw new Error('A parameter of COPY is not a plain word')
    return `'${value}'`
  })
}

/** The profile's change number (docs/decisions/1230) and its parts. Null before the first change. */
export async function readChangeNumber(
  tx: Tx,
  profileId: string,
): Promise<{ number: number | null; parts: string | null }> {
  const { rows } = await sql<{ number: number | null; parts: string | null }>`
    select max(number) as number, string_agg(number::text, ' ' order by holds_lock) as parts
    from report_changes where profile_id = ${profileId}`.execute(tx)
  return rows[0]!
}

/** True if every change of the table's rows increases the profile's change number. */
export function movesChangeNumber(table: TableName, { includeIdentifiers }: RowScope): boolean {
  return table === 'identities' ? !includeIdentifiers : table !== 'events' && table !== 'rates'
}
