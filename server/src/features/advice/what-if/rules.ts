/** Simulated credit as figures of campaigns and channels, before and after. Pure. */
import { levels, type Model, models, NO_ENTITY } from '@whence/engine'
import type { z } from 'zod'
import { type DateRange, dayNumber } from '../../../platform/contract/dates.ts'
import { CASH, UNRATED_CASH, UNRATED_REFUNDS } from '../../attribution/crediting/credits/rollups.ts'
import type { SimulatedCredit } from '../../attribution/crediting/full/simulate.ts'
import {
  addCredit,
  type Credit,
  type CreditRow,
  noCredit,
  toCreditMeasures,
} from '../../figures/definitions/definitions.ts'
import type { whatIf } from './contract.ts'

type Reply = z.input<typeof whatIf.reply>
type Compared = Reply['total']
export type Level = 'campaign' | 'channel'

/** Credit per campaign or channel; credit without one has the empty name. */
export type CreditByName = Map<string, Credit>

const counted: readonly string[] = [...CASH, ...UNRATED_CASH]
const unrated: readonly string[] = [...UNRATED_CASH, ...UNRATED_REFUNDS]
const levelOf: Record<Level, number> = {
  campaign: levels.indexOf('campaign'),
  channel: levels.indexOf('ad_set'),
}
const firstShare: Partial<Record<Model, number>> = { linear: 0, time_decay: 2 }

export function creditIn(
  { rollups, kinds, nameAt }: SimulatedCredit,
  level: Level,
  model: Model,
  range: Pick<DateRange, 'from' | 'to'>,
): CreditByName {
  const [from, to] = [dayNumber(range.from), dayNumber(range.to)]
  const modelIndex = models.indexOf(model)
  const share = firstShare[model]
  const rows = new Map<string, CreditRow[]>()
  rollups.visitRows((rowLevel, entity, day, kind, measures) => {
    const { outcomeType, revenueType } = kinds[kind]!
    const isCounted = counted.includes(revenueType)
    const isUnrated = unrated.includes(revenueType)
    if (rowLevel !== levelOf[level] || day < from || day > to || !(isCounted || isUnrated)) return
    const name = entity === NO_ENTITY ? '' : nameAt(entity)
    const nameRows = rows.get(name) ?? []
    rows.set(name, nameRows)
    const shareAt = (offset: number) =>
      share === undefined ? 0 : measures[models.length * 2 + share + offset]!
    nameRows.push({
      outcome_type: outcomeType,
      revenue_type: 'cash',
      conversions: isCounted ? measures[modelIndex]! : 0,
      value_minor: measures[models.length + modelIndex]!,
      share_high: isCounted ? shareAt(0) : 0,
      share_low: isCounted ? shareAt(1) : 0,
      unrated: isUnrated ? measures[modelIndex]! : 0,
      new_customers: 0,
      new_value_minor: 0,
      new_unrated: 0,
    })
  })
  return new Map([...rows].map(([name, nameRows]) => [name, addCredit(nameRows)]))
}

type Side = { credit: CreditByName; model: Model }

function compare(
  before: Credit,
  after: Credit,
  sides: { before: Side; after: Side },
  currency: string,
): Compared {
  const figuresOf = (credit: Credit, { model }: Side) => {
    const { outcome_count, outcome_credit, outcome_value } = toCreditMeasures(credit, model, currency)
    return { outcome_count, outcome_credit, outcome_value }
  }
  const figures = { before: figuresOf(before, sides.before), after: figuresOf(after, sides.after) }
  const isKnown = figures.before.outcome_value !== null && figures.after.outcome_value !== null
  const change = { ...noCredit, cashMinor: after.cashMinor - before.cashMinor }
  return {
    ...figures,
    value_change: isKnown ? toCreditMeasures(change, 'last_touch', currency).outcome_value : null,
  }
}

/** By name, largest change of money first. */
export function compareAll(sides: { before: Side; after: Side }, currency: string): Map<string, Compared> {
  const names = [...new Set([...sides.before.credit.keys(), ...sides.after.credit.keys()])]
  const creditOf = ({ credit }: Side, name: string) => credit.get(name) ?? noCredit
  const changeOf = (name: string) =>
    Math.abs(creditOf(sides.after, name).cashMinor - creditOf(sides.before, name).cashMinor)
  names.sort((a, b) => changeOf(b) - changeOf(a) || (a < b ? -1 : 1))
  return new Map(
    names.map((name) => [
      name,
      compare(creditOf(sides.before, name), creditOf(sides.after, name), sides, currency),
    ]),
  )
}

/** Counts every payment once, however many rows share it. */
export function compareTotals(sides: { before: Side; after: Side }, currency: string): Compared {
  const totalOf = ({ credit, model }: Side): Credit => {
    const all = [...credit.values()]
    const sum = (pick: (row: Credit) => number) => all.reduce((total, row) => total + pick(row), 0)
    const cashShares = { high: sum((row) => row.cashShares.high), low: sum((row) => row.cashShares.low) }
    const combined = { ...noCredit, cashCount: sum((row) => row.cashCount), cashShares }
    return {
      ...combined,
      cashCount: Math.round(toCreditMeasures(combined, model, currency).outcome_credit),
      cashMinor: sum((row) => row.cashMinor),
      cashUnrated: sum((row) => row.cashUnrated),
    }
  }
  return compare(totalOf(sides.before), totalOf(sides.after), sides, currency)
}

export const isSame = ({ before, after }: Compared): boolean =>
  before.outcome_count === after.outcome_count &&
  before.outcome_credit === after.outcome_credit &&
  before.outcome_value === after.outcome_value
