/** The whole profile in a range: what was spent, what was earned, and how much of it ads were credited with. */
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { listDays } from '../../contract/dates.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import type { getOverview } from './contract.ts'
import { type OverviewDay, overviewDays } from './queries/overview-days.ts'
import { moneyPer, ratio } from './rules.ts'
import { type Reported, type ReportScope, report } from './snapshot.ts'

type Measures = Omit<OverviewDay, 'day'>

const nothing: Measures = {
  spend_minor: 0,
  cash_minor: 0,
  payments: 0,
  credited_minor: 0,
  unattributed: 0,
  fx_missing: 0,
}

export function readOverview(
  context: ProfileContext,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<z.input<(typeof getOverview)['reply']>>> {
  return report(context, { ...scope, level: 'campaign' }, async ({ tx, profileId, currency }) => {
    const rows = await overviewDays(tx, { profileId, ...scope })
    const byDay = new Map(rows.map((row) => [row.day, row]))
    const total = rows.reduce(addDay, nothing)
    const credited = total.payments - total.unattributed
    return {
      data: {
        totals: {
          ...toMeasures(total, currency),
          credited_payments: credited,
          roas: ratio(total.credited_minor, total.spend_minor),
          cac: moneyPer(total.spend_minor, credited, currency),
        },
        days: listDays(scope.range.from, scope.range.to).map((date) => ({
          date,
          ...toMeasures(byDay.get(date) ?? nothing, currency),
        })),
      },
      fxMissing: total.fx_missing,
    }
  })
}

function addDay(sum: Measures, row: Measures): Measures {
  return {
    spend_minor: sum.spend_minor + row.spend_minor,
    cash_minor: sum.cash_minor + row.cash_minor,
    payments: sum.payments + row.payments,
    credited_minor: sum.credited_minor + row.credited_minor,
    unattributed: sum.unattributed + row.unattributed,
    fx_missing: sum.fx_missing + row.fx_missing,
  }
}

function toMeasures(row: Measures, currency: string) {
  return {
    spend: toDecimalNumber(row.spend_minor, currency),
    revenue: toDecimalNumber(row.cash_minor, currency),
    credited_revenue: toDecimalNumber(row.credited_minor, currency),
    payments: row.payments,
  }
}
