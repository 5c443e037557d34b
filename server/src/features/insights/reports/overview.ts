/** The whole profile in a range: what was spent, what was earned, and how much of it ads were credited with. */
import type { z } from 'zod'
import { listDays } from '../../../platform/contract/dates.ts'
import { readTogether } from '../../../platform/db/together.ts'
import type * as contract from './contract.ts'
import { creditedInAll } from './credited-in-all.ts'
import { knownMinor, toMeasures, toMoney } from './definitions.ts'
import { type OverviewDay, overviewDays } from './queries/overview-days.ts'
import { type ReportContext, type Reported, type ReportScope, report } from './snapshot.ts'

type Measures = Omit<OverviewDay, 'day'>

const nothing: Measures = {
  spend_minor: 0,
  spend_unrated: 0,
  cash_minor: 0,
  cash_unrated: 0,
  payments: 0,
  credited_minor: 0,
  credited_unrated: 0,
}

export function getOverview(
  context: ReportContext,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<z.input<(typeof contract.getOverview)['reply']>>> {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const [credit, rows] = await readTogether(
      creditedInAll(snapshot),
      overviewDays(tx, { profileId, ...scope }),
    )
    const byDay = new Map(rows.map((row) => [row.day, row]))
    const total = rows.reduce(addDay, nothing)
    const spend = { spendMinor: total.spend_minor, unrated: total.spend_unrated }
    const { outcome_count, outcome_credit, roas, cac } = toMeasures(credit, spend, scope.model, currency)
    return {
      data: {
        totals: {
          ...toDay(total, currency),
          credited_payments: outcome_count,
          outcome_credit,
          roas,
          cac,
        },
        days: listDays(scope.range.from, scope.range.to).map((date) => ({
          date,
          ...toDay(byDay.get(date) ?? nothing, currency),
        })),
      },
      fxMissing: total.spend_unrated,
    }
  })
}

function addDay(sum: Measures, row: Measures): Measures {
  return {
    spend_minor: sum.spend_minor + row.spend_minor,
    spend_unrated: sum.spend_unrated + row.spend_unrated,
    cash_minor: sum.cash_minor + row.cash_minor,
    cash_unrated: sum.cash_unrated + row.cash_unrated,
    payments: sum.payments + row.payments,
    credited_minor: sum.credited_minor + row.credited_minor,
    credited_unrated: sum.credited_unrated + row.credited_unrated,
  }
}

function toDay(row: Measures, currency: string) {
  return {
    spend: toMoney(knownMinor(row.spend_minor, row.spend_unrated), currency),
    revenue: toMoney(knownMinor(row.cash_minor, row.cash_unrated), currency),
    credited_revenue: toMoney(knownMinor(row.credited_minor, row.credited_unrated), currency),
    payments: row.payments,
  }
}
