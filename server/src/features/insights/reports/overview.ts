/** The whole profile in a range: spend, revenue and the part credited to campaigns. */
import type { z } from 'zod'
import { listDays } from '../../../platform/contract/dates.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { sumOverview, toMeasures, toOverview, totalRoas } from '../../figures/definitions/definitions.ts'
import { overviewDays } from '../../figures/rollups/overview-days.ts'
import {
  type Reported,
  type ReportScope,
  type ReportSource,
  report,
} from '../../figures/snapshot/snapshot.ts'
import type * as contract from './contract.ts'
import { totalEntityCredit } from './total-entity-credit.ts'

export function getOverview(
  context: ReportSource,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<z.input<(typeof contract.getOverview)['reply']>>> {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const [credit, rows] = await pipelineReads(
      totalEntityCredit(snapshot),
      overviewDays(tx, { profileId, ...scope }),
    )
    const byDay = new Map(rows.map((row) => [row.day, row]))
    const total = sumOverview(rows)
    const spend = { spendMinor: total.spend_minor, unrated: total.spend_unrated }
    const { outcome_count, outcome_credit, roas, cac } = toMeasures(credit, spend, scope.model, currency)
    return {
      data: {
        totals: {
          ...toOverview(total, currency),
          total_roas: totalRoas(total),
          credited_payments: outcome_count,
          outcome_credit,
          roas,
          cac,
        },
        days: listDays(scope.range.from, scope.range.to).map((date) => ({
          date,
          ...toOverview(byDay.get(date) ?? sumOverview([]), currency),
        })),
      },
      fxMissing: total.spend_unrated,
    }
  })
}
