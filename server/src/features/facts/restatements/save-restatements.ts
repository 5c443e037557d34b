/** Records the changes of rollup rows of closed days, in the transaction of the write. */
import { sql } from 'kysely'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { days, texts } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import type { Reason } from './causes.ts'
import type { Ledger } from './closed-days.ts'
import { Pack } from './pack.ts'

/** One row's difference; `measures` in the order of the rollup's columns. */
export type RowChange = {
  rollup: 'credit' | 'held' | 'platform' | 'total' | 'uncredited' | 'click' | 'delivery'
  level: string
  entity: string
  day: string
  outcomeType: string
  revenueType: string
  measures: readonly number[]
}

/** Rollups whose facts are examples of a cause; the changes of the others share rows. */
const ROLLUPS_WITH_FACT: ReadonlySet<RowChange['rollup']> = new Set(['credit', 'delivery'])
const ROWS_PER_STATEMENT = 2000
type Row = RowChange & Reason & { changes?: string }

/**
 * Collects the changes of one write. Every function that changes a rollup requires an instance, and only
 * `withRestatements` creates and saves one, so no write can omit its changes.
 */
export class Restatements {
  readonly closedThrough: string
  private rows: Row[] = []
  private packs: Pack[] = []
  private readonly packByKey = new Map<string, Pack>()
  private readonly tx: Tx
  private readonly ledger: Ledger
  constructor(tx: Tx, ledger: Ledger) {
    this.closedThrough = ledger.closedThrough
    this.tx = tx
    this.ledger = ledger
  }

  /** Ignores changes of open days: their figures are not final. */
  add(reason: Reason, changes: Iterable<RowChange>): void {
    for (const change of changes)
      if (change.day <= this.closedThrough && change.measures.some((value) => value !== 0))
        this.packFor(reason, change).add(Buffer.from(change.entity), change.measures)
  }

  /** A late payment changes a dozen rows: stored one by one, they took as much space as its event and credit. */
  private packFor({ cause, fact }: Reason, change: RowChange): Pack {
    const { rollup, level, day, outcomeType, revenueType } = change
    const shown = ROLLUPS_WITH_FACT.has(rollup) ? fact : null
    const key = JSON.stringify([rollup, level, day, outcomeType, revenueType, cause, shown?.type, shown?.id])
    const existing = this.packByKey.get(key)
    if (existing !== undefined) return existing
    const pack = this.pack({ cause, fact: shown }, { rollup, level, day, outcomeType, revenueType })
    this.packByKey.set(key, pack)
    return pack
  }

  /** Packs changes with one key; the caller omits open days and unchanged rows, and sums each entity's changes. */
  pack(reason: Reason, key: Omit<RowChange, 'entity' | 'measures'>): Pack {
    const pack = new Pack((change) => this.rows.push({ ...key, ...reason, ...change }))
    this.packs.push(pack)
    return pack
  }

  /** Closes all packs and releases their memory. Nothing may be added to them afterwards. */
  closePacks(): void {
    for (const pack of this.packs) pack.close()
    this.packs = []
    this.packByKey.clear()
  }

  async save(): Promise<void> {
    this.closePacks()
    const { rows } = this
    this.rows = []
    await saveRows(this.tx, this.ledger, rows)
  }
}

export async function withRestatements<T>(
  tx: Tx,
  ledger: Ledger,
  work: (restatements: Restatements) => Promise<T>,
): Promise<T> {
  const restatements = new Restatements(tx, ledger)
  const result = await work(restatements)
  await restatements.save()
  return result
}

async function saveRows(tx: Tx, { profileId, now }: Ledger, changes: readonly Row[]): Promise<void> {
  for (let start = 0; start < changes.length; start += ROWS_PER_STATEMENT) {
    const rows = changes.slice(start, start + ROWS_PER_STATEMENT)
    await sql`
      insert into restatements (profile_id, recorded_at, batch_id, number, rollup, level, entity, day, outcome_type,
        revenue_type, measures, changes, cause, fact_type, fact_id)
      select ${anchoredProfileId(tx, profileId)}, ${now}::timestamptz, ${uuidv7(now)}::uuid, u.number, u.rollup, u.level, u.entity,
        u.day, u.outcome_type, u.revenue_type, u.measures::bigint[], u.changes, u.cause, u.fact_type, u.fact_id
      from unnest(${texts(rows, (row) => row.rollup)}::text[], ${texts(rows, (row) => row.level)}::text[],
        ${texts(rows, (row) => row.entity)}::text[], ${days(rows, (row) => row.day)}::date[],
        ${texts(rows, (row) => row.outcomeType)}::text[], ${texts(rows, (row) => row.revenueType)}::text[],
        ${texts(rows, (row) => `{${row.measures.join(',')}}`)}::text[], ${texts(rows, (row) => row.changes)}::text[],
        ${texts(rows, (row) => row.cause)}::text[],
        ${texts(rows, (row) => row.fact?.type)}::text[], ${texts(rows, (row) => row.fact?.id)}::text[])
        with ordinality as u(rollup, level, entity, day, outcome_type, revenue_type, measures, changes, cause,
          fact_type, fact_id, number) ${joinAnchor(tx, profileId)}`.execute(tx)
  }
}
