/** Whether the figures of a closed day are complete: an alert from half a day would be wrong. */
import { addDays } from '../../../platform/contract/dates.ts'
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import { type CheckRow, listChecks } from '../../insights/doctor/queries/findings.ts'
import { getOverview } from '../../insights/reports/overview.ts'
import type { ReportContext } from '../../insights/reports/snapshot.ts'
import type { RuleRow } from './queries.ts'
import { needsSpend, type Threshold } from './rules.ts'

/** An import that ended longer ago is history, and no next file is expected. */
const ENDED_IMPORT_DAYS = 35

export type Readiness = { heldOf: (rule: RuleRow) => string | null; checks: CheckRow[] }

export async function readReadiness(context: ReportContext, day: string): Promise<Readiness> {
  const { service, profile } = context
  const range = { from: day, to: day, days: 1 }
  const { freshness } = (await getOverview(context, { range, model: 'last_touch' })).meta
  const late = freshness.sources
    .filter(({ connection_id, through }) =>
      connection_id === null
        ? through !== null && through < day && through >= addDays(day, -ENDED_IMPORT_DAYS)
        : // Read after the day ended: an earlier read has only a part of it.
          through === null || through <= day,
    )
    .map(({ name, source }) => withoutPersonalValues(name ?? source))
  const { db } = await service.nodes.shardOf(profile.id)
  const checks = await listChecks(db, { profileId: profile.id })
  const { end } = dayBounds(day, profile.timezone)
  const isChecked = checks.length > 0 && checks.every(({ checked_at }) => checked_at >= end)
  return {
    checks,
    heldOf(rule) {
      if (rule.kind === 'finding') return isChecked ? null : 'The data check of the day has not run yet.'
      if (freshness.stale) return 'Events are still being counted.'
      if (late.length > 0 && needsSpend({ metric: rule.metric as Threshold['metric'] }))
        return `The ad data of ${late.join(', ')} has not arrived yet.`
      return null
    },
  }
}
