import type { Model } from '@whence/engine'
import type { UserContext, WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { findWorkspaceRole } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { addDays, type DateRange } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { pacingOf } from '../../advice/pacing/operations.ts'
import { loadRates } from '../../facts/fx/rates.ts'
import { sumOverview } from '../../figures/definitions/definitions.ts'
import { overviewDaysOf, type ProfileDay } from '../../figures/rollups/overview-days.ts'
import * as queries from './queries.ts'
import { changeTags, countUnrated, toCurrency, toFigures, toHealth, worstPacing } from './rules.ts'

const MAX_TAGS = 20

type Query = { range: DateRange; model: Model; currency?: string | undefined }

/** Uses a fixed number of queries, however many clients there are. */
export async function listClients(context: UserContext, workspaceId: string, query: Query) {
  const { db } = context
  const profiles = await listOpenProfiles({ ...context, workspaceId }, { scope: 'campaigns:read' })
  if (profiles.length === 0) await requireMember(context, workspaceId)
  const { range, model } = query
  const before = { from: addDays(range.from, -range.days), to: addDays(range.from, -1) }
  const profileIds = profiles.map(({ id }) => id)
  const [settings, days, pacing, connections, findings, recommendations, reports, firing] = await Promise.all(
    [
      queries.findSettings(db, { workspaceId }),
      overviewDaysOf(db, { profileIds, model, from: before.from, to: range.to }),
      pacingOf(context, profiles),
      queries.countConnections(db, { profileIds }),
      queries.countFindings(db, { profileIds }),
      queries.countRecommendations(db, { profileIds }),
      queries.listLastReports(db, { profileIds }),
      queries.countFiringAlerts(db, { profileIds, now: context.now }),
    ],
  )
  const currency = query.currency ?? settings.currency
  const sums = await sumClients(context, { profiles, days, range, before, currency })
  const rowFor = <T extends { profile_id: string }>(rows: readonly T[], id: string) =>
    rows.find((row) => row.profile_id === id)
  const rows = sums.map(({ profile, currency, now, previous }) => {
    const health = toHealth(rowFor(connections, profile.id), rowFor(findings, profile.id))
    const report = rowFor(reports, profile.id)
    return {
      profile_id: profile.id,
      name: profile.name,
      is_demo: profile.isDemo,
      timezone: profile.timezone,
      tags: settings.tags.get(profile.id) ?? [],
      currency,
      ...toFigures(now, currency),
      fx_missing: countUnrated(now),
      previous: toFigures(previous, currency),
      pacing: worstPacing(pacing.filter((row) => row.profile_id === profile.id)),
      health,
      alerts: health.broken_connections + health.findings + (rowFor(firing, profile.id)?.count ?? 0),
      recommendations: rowFor(recommendations, profile.id)?.count ?? 0,
      last_report:
        report === undefined
          ? null
          : {
              report_id: report.id,
              status: report.status,
              created_at: report.created_at,
              sent_at: report.sent_at,
            },
    }
  })
  return {
    data: rows,
    extra: { totals: sumTotals(sums) },
    meta: { date_from: range.from, date_to: range.to, previous_from: before.from, previous_to: before.to },
  }
}

/** Returns 404 to people outside the workspace. Members without an accessible profile get an empty list. */
async function requireMember({ db, caller }: UserContext, workspaceId: string): Promise<void> {
  if ((await findWorkspaceRole(db, { workspaceId, userId: caller.userId })) === undefined)
    throw new ApiError('not_found', 'No such workspace.')
}

type ClientSums = Awaited<ReturnType<typeof sumClients>>[number]

async function sumClients(
  { db }: Pick<UserContext, 'db'>,
  request: {
    profiles: readonly OpenProfile[]
    days: readonly ProfileDay[]
    range: DateRange
    before: { from: string; to: string }
    currency: string | null
  },
) {
  const { profiles, range, before } = request
  const currencyOf = new Map(profiles.map(({ id, currency }) => [id, currency]))
  const needs = request.days.map((row) => ({ currency: currencyOf.get(row.profile_id)!, day: row.day }))
  const rates = await loadRates(db, request.currency === null ? [] : needs, request.currency ?? '')
  const byProfile = Map.groupBy(request.days, (row) => row.profile_id)
  return profiles.map((profile) => {
    const currency = request.currency ?? profile.currency
    const days = (byProfile.get(profile.id) ?? []).map((row) =>
      toCurrency(row, profile.currency, currency, rates),
    )
    return {
      profile,
      currency,
      now: sumOverview(days.filter(({ day }) => day >= range.from)),
      previous: sumOverview(days.filter(({ day }) => day <= before.to)),
    }
  })
}

function sumTotals(sums: readonly ClientSums[]) {
  const realClients = sums.filter(({ profile }) => !profile.isDemo)
  const countedClients = realClients.length === 0 ? sums : realClients
  const [currency, ...otherCurrencies] = new Set(countedClients.map((row) => row.currency))
  if (currency === undefined || otherCurrencies.length > 0) return null
  return {
    currency,
    ...toFigures(sumOverview(countedClients.map((row) => row.now)), currency),
    previous: toFigures(sumOverview(countedClients.map((row) => row.previous)), currency),
  }
}

export async function tagClients(
  context: WorkspaceContext,
  body: { profile_ids: string[]; add: string[]; remove: string[] },
) {
  const { workspaceId } = context
  const profileIds = [...new Set(body.profile_ids)]
  await listOpenProfiles(context, { scope: 'campaigns:read', profileIds })
  return inTransaction(context.db, async (tx) => {
    const rows = await queries.lockTags(tx, { workspaceId, profileIds })
    const changed = rows.map((row) => ({ ...row, tags: changeTags(row.tags, body.add, body.remove) }))
    if (changed.some(({ tags }) => tags.length > MAX_TAGS))
      throw new ApiError('validation_error', `a profile has at most ${MAX_TAGS} tags.`, { field: 'add' })
    for (const [index, { id: profileId, tags }] of changed.entries()) {
      await queries.saveTags(tx, { profileId, tags })
      await recordChange(tx, context, {
        workspaceId,
        profileId,
        action: 'profile.tagged',
        subject: profileId,
        detail: { before: { tags: rows[index]!.tags }, after: { tags } },
      })
    }
    return changed.map(({ id, tags }) => ({ profile_id: id, tags }))
  })
}
