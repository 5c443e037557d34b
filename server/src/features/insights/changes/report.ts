/** Why figures of past days changed: the figures before and after, and the ledger rows in between. */
import type { z } from 'zod'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { inSnapshot, type Tx } from '../../../platform/db/database.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { noCredit } from '../../figures/definitions/definitions.ts'
import { coverRange } from '../../figures/definitions/rules.ts'
import { creditByEntity } from '../../figures/rollups/credit-by-entity.ts'
import { deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import { entityDetails } from '../../figures/rollups/entities.ts'
import { rangeClosedAt, requireAsOfAvailable } from '../../figures/snapshot/as-of.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { groupCreditByEntity, noDelivery } from '../reports/campaigns.ts'
import type * as contract from './contract.ts'
import { changesByEntity, type Figures, listExamples, type Window } from './queries.ts'

const MAX_EXAMPLES = 3

type Changes = z.input<(typeof contract.getChanges)['reply']>
type Row = Changes['rows'][number]
type Change = Figures & { cause: Row['by_cause'][number]['cause'] }
type Changed = { id: string; before: Figures; delta: Figures; changes: Change[] }

const zeroFigures: Figures = { payments: 0, outcomes: 0, value_minor: 0, spend_minor: 0 }

function add(a: Figures, b: Figures): Figures {
  return {
    payments: a.payments + b.payments,
    outcomes: a.outcomes + b.outcomes,
    value_minor: a.value_minor + b.value_minor,
    spend_minor: a.spend_minor + b.spend_minor,
  }
}

const sum = (all: readonly Figures[]) => all.reduce(add, zeroFigures)

export async function getChanges(
  context: ReportContext,
  window: Omit<Window, 'profileId' | 'since' | 'until'> & {
    since: Date | undefined
    until: Date | undefined
    /** If set, equal to `until`; rejected if no report is available as of this time. */
    asOf?: Date | undefined
  },
  limit: number,
): Promise<{ data: Changes; meta: { date_from: string; date_to: string; result_hash: string } }> {
  const { id: profileId, currency } = context.profile
  const { asOf } = window
  const until = window.until ?? context.now
  const field = asOf === undefined ? 'until' : 'as_of'
  if (window.since !== undefined && until < window.since)
    throw toError(new Refusal('invalid_parameter', 'is before since.', { field }))
  const { db } = await context.service.nodes.shardOf(profileId)
  return inSnapshot(db, async (tx) => {
    const closedAt = window.since ?? (await rangeClosedAt(tx, context, window.range))
    const isOpen = closedAt === undefined || closedAt > until
    const since = isOpen ? until : closedAt
    if (!isOpen) await requireAsOfAvailable(tx, context, window.range, since, 'since')
    if (!isOpen || asOf !== undefined) await requireAsOfAvailable(tx, context, window.range, until, field)
    const resolved = { ...window, profileId, since, until }
    const before = await figuresAt(tx, resolved, isOpen ? asOf : since)
    const changed = await listChanged(tx, resolved, before)
    const total = { before: sum([...before.values()]), delta: sum(changed.map((row) => row.delta)) }
    const ids = changed.map((row) => row.id)
    const details = await entityDetails(tx, { profileId, asOf: window.until, ids })
    const examples = Map.groupBy(await listExamples(tx, resolved, MAX_EXAMPLES), ({ cause }) => cause)
    const figuresOf = (figures: Figures) => toFigures(figures, currency)
    const toRow = (row: Changed): Row => ({
      kind: row.id === NIL_ENTITY ? 'unattributed' : 'entity',
      entity_id: row.id === NIL_ENTITY ? null : row.id,
      name: details.get(row.id)?.name ?? null,
      ...compare(row, currency),
      by_cause: row.changes.map(({ cause, ...figures }) => ({ cause, delta: figuresOf(figures) })),
    })
    const remaining = changed.slice(limit)
    const reproducible = {
      since: isOpen ? null : since,
      total: compare(total, currency),
      by_cause: addCauses(changed).map(({ cause, ...figures }) => ({ cause, delta: figuresOf(figures) })),
      rows: [
        ...changed.slice(0, limit).map(toRow),
        ...(remaining.length === 0 ? [] : [toOther(remaining, currency)]),
      ],
    }
    return {
      data: {
        ...reproducible,
        by_cause: reproducible.by_cause.map((change) => ({
          ...change,
          examples: (examples.get(change.cause) ?? []).map((example) => ({
            fact_type: example.fact_type,
            fact_id: example.fact_id,
            occurred_at: example.occurred_at,
            recorded_at: example.recorded_at,
            delta: figuresOf(example),
          })),
        })),
      },
      meta: {
        date_from: window.range.from,
        date_to: window.range.to,
        result_hash: hashOf(reproducible).toString('hex'),
      },
    }
  })
}

function compare({ before, delta }: { before: Figures; delta: Figures }, currency: string) {
  return {
    before: toFigures(before, currency),
    after: toFigures(add(before, delta), currency),
    delta: toFigures(delta, currency),
  }
}

function toFigures({ payments, outcomes, value_minor, spend_minor }: Figures, currency: string) {
  return {
    outcome_count: payments,
    attributed_outcome_count: outcomes,
    outcome_value: toDecimalNumber(value_minor, currency),
    spend: toDecimalNumber(spend_minor, currency),
  }
}

/** Changed rows, largest change first. */
async function listChanged(tx: Tx, window: Window, before: ReadonlyMap<string, Figures>): Promise<Changed[]> {
  const changes = Map.groupBy(await changesByEntity(tx, window), (row) => row.entity_id)
  return [...changes]
    .map(([id, rows]) => ({
      id,
      before: before.get(id) ?? zeroFigures,
      delta: sum(rows),
      changes: rows.filter((change) => sizeOf(change) > 0).map(({ entity_id: _, ...change }) => change),
    }))
    .filter((row) => row.changes.length > 0)
    .sort((a, b) => sizeOf(b.delta) - sizeOf(a.delta) || (a.id < b.id ? -1 : 1))
}

function sizeOf({ value_minor, spend_minor, outcomes, payments }: Figures): number {
  return Math.abs(value_minor) + Math.abs(spend_minor) + Math.abs(outcomes) + Math.abs(payments)
}

function addCauses(changed: readonly Changed[]): Change[] {
  const byCause = Map.groupBy(
    changed.flatMap((row) => row.changes),
    (change) => change.cause,
  )
  return [...byCause].map(([cause, causeChanges]) => ({ cause, ...sum(causeChanges) }))
}

function toOther(rows: readonly Changed[], currency: string): Row {
  const total = { before: sum(rows.map((row) => row.before)), delta: sum(rows.map((row) => row.delta)) }
  return {
    kind: 'other',
    entity_id: null,
    name: null,
    ...compare(total, currency),
    by_cause: addCauses(rows).map(({ cause, ...figures }) => ({
      cause,
      delta: toFigures(figures, currency),
    })),
  }
}

/** The report's figures by entity as of a time. */
async function figuresAt(tx: Tx, { profileId, range, level, model }: Window, asOf: Date | undefined) {
  const cover = coverRange(range, asOf)
  const credit = groupCreditByEntity(await creditByEntity(tx, { profileId, asOf, level, model, cover }))
  const sums = await deliveryByEntity(tx, { profileId, asOf, level, cover })
  const delivery = new Map(sums.map((row) => [row.entity_id, row]))
  return new Map(
    [...new Set([...credit.keys(), ...delivery.keys()])].map((id): [string, Figures] => {
      const { cashCount, count, cashMinor } = credit.get(id) ?? noCredit
      const { spend_minor } = delivery.get(id) ?? noDelivery
      return [id, { payments: cashCount, outcomes: count, value_minor: cashMinor, spend_minor }]
    }),
  )
}
