/** Checks that the figures of a closed day are complete: an alert on partial data would be wrong. */
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import { type CheckRow, listChecks } from '../../advice/doctor/queries/findings.ts'
import { listAdDataThrough } from '../../figures/snapshot/queries/ad-data-through.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { getOverview } from '../../insights/reports/overview.ts'
import type { RuleRow } from './queries.ts'
import { needsSpend, type Threshold } from './rules.ts'

export type Readiness = {
  /** Why the rule cannot be evaluated yet; null if it can. */
  holdReason: (rule: RuleRow) => string | null
  checks: CheckRow[]
}

export async function readReadiness(context: ReportContext, day: string): Promise<Readiness> {
  const { service, profile } = context
  const range = { from: day, to: day, days: 1 }
  const { freshness } = (await getOverview(context, { range, model: 'last_touch' })).meta
  const { db } = await service.nodes.shardOf(profile.id)
  const lateSources = (await listAdDataThrough(db, { profile, day }))
    .filter(({ through }) => through === null || through < day)
    .map(({ name }) => withoutPersonalValues(name))
  const checks = await listChecks(db, { profileId: profile.id })
  const { end } = dayBounds(day, profile.timezone)
  const isChecked = checks.length > 0 && checks.every(({ checked_at }) => checked_at >= end)
  return {
    checks,
    holdReason(rule) {
      if (rule.kind === 'finding') return isChecked ? null : 'The data check of the day has not run yet.'
      if (freshness.stale) return 'Events of the day are still being processed.'
      if (lateSources.length > 0 && needsSpend({ metric: rule.metric as Threshold['metric'] }))
        return `The ad data of ${lateSources.join(', ')} has not arrived yet.`
      return null
    },
  }
}
