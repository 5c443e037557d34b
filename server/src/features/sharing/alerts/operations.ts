import type { z } from 'zod'
import { authorizationOf, type ProfileContext } from '../../../context.ts'
import { requireLiveMaker } from '../../../platform/access/live-maker.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { addDays, DAY_MS, listDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { checks } from '../../advice/doctor/checks.ts'
import { readSeries } from '../../figures/daily-sums/read-series.ts'
import { listAdDataThrough } from '../../figures/snapshot/queries/ad-data-through.ts'
import { Alert, type AlertCondition, PREVIEW_DAYS } from './contract.ts'
import { lastEvaluatedDay } from './evaluate.ts'
import * as queries from './queries.ts'
import { evaluateFigure, needsSpend, replay, type Threshold } from './rules.ts'
import { toColumns, toCondition, toFigure, toSnapshot, toThreshold } from './units-rules.ts'

type AlertReply = z.input<typeof Alert>

const LOG_LENGTH = 200
const alertNotFound = () => new ApiError('not_found', 'No such alert.')

export async function listAlerts({ db, profile }: ProfileContext) {
  const rows = await queries.listRules(db, { profileId: profile.id })
  const names = await loadCampaignNames(db, profile.id, rows)
  return rows.map((row) => toAlert(row, names, profile.currency))
}

function loadCampaignNames(db: Db | Tx, profileId: string, rules: readonly { campaign_id: string | null }[]) {
  const ids = rules.flatMap(({ campaign_id }) => (campaign_id === null ? [] : [campaign_id]))
  return queries.findCampaignNames(db, { profileId, ids: [...new Set(ids)] })
}

function toAlert(row: queries.RuleRow, names: ReadonlyMap<string, string>, currency: string): AlertReply {
  return toReply(Alert, row, {
    condition: toCondition(row, currency),
    campaign_name: names.get(row.campaign_id ?? '') ?? null,
    figure: row.figure === null ? null : toFigure(row.figure, row, currency),
  })
}

/** Returns the columns of the condition. An unknown campaign or check gets the same error as one of another tenant. */
async function readCondition({ db, profile }: ProfileContext, condition: AlertCondition) {
  const columns = accepted(toColumns(condition, profile.currency))
  const { campaign_id, check_id } = columns
  if (campaign_id !== null && !(await loadCampaignNames(db, profile.id, [columns])).has(campaign_id))
    throw new ApiError('not_found', 'No such campaign.')
  if (check_id !== null && !checks.some(({ id }) => id === check_id))
    throw new ApiError('not_found', 'No such check.')
  return columns
}

export async function createAlert(
  context: ProfileContext,
  body: { name: string; condition: AlertCondition },
): Promise<AlertReply> {
  const { db, profile, now } = context
  const profileId = profile.id
  const columns = await readCondition(context, body.condition)
  return inTransaction(db, async (tx) => {
    await requireLiveMaker(tx, context)
    await requireBelowLimit(
      tx,
      'alerts',
      profileId,
      async () => (await queries.listRules(tx, { profileId })).length,
    )
    const row = await queries.insertRule(tx, {
      ...columns,
      profile_id: profileId,
      id: uuidv7(now),
      name: body.name,
      authorization_id: authorizationOf(context.caller),
      created_at: now,
      updated_at: now,
    })
    await recordSetting(tx, context, {
      action: 'alert.created',
      subject: row.id,
      before: null,
      after: { name: row.name, ...columns },
    })
    return toAlert(row, await loadCampaignNames(tx, profileId, [row]), profile.currency)
  })
}

export async function updateAlert(
  context: ProfileContext,
  id: string,
  body: {
    name?: string | undefined
    condition?: AlertCondition | undefined
    enabled?: boolean | undefined
    mute_days?: number | undefined
  },
): Promise<AlertReply> {
  const { db, profile, now } = context
  const profileId = profile.id
  const columns = body.condition === undefined ? {} : await readCondition(context, body.condition)
  const resetState = { state: 'ok', fired_on: null, calm_days: 0, figure: null, held: null }
  return inTransaction(db, async (tx) => {
    await requireLiveMaker(tx, context)
    const before = (await queries.listRules(tx, { profileId })).find((row) => row.id === id)
    if (before === undefined) throw alertNotFound()
    const fields = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
      // A person who enables a disabled alert becomes its owner: it no longer ends with the app that created it.
      ...(body.enabled === true && !before.enabled
        ? { authorization_id: authorizationOf(context.caller) }
        : {}),
      ...(body.mute_days === undefined ? {} : { muted_until: mutedUntil(body.mute_days, now) }),
      ...columns,
      ...(body.condition === undefined ? {} : resetState),
      ...(body.condition !== undefined || (body.enabled === true && !before.enabled)
        ? { evaluated_through: skipMissedDays(before, addDays(localDay(now, profile.timezone), -1)) }
        : {}),
    }
    const row = await queries.updateRule(tx, { profileId, id, fields: { ...fields, updated_at: now } })
    if (row === undefined) throw alertNotFound()
    await recordSetting(tx, context, {
      action: 'alert.changed',
      subject: id,
      before: auditedFields(before),
      after: auditedFields(row),
    })
    return toAlert(row, await loadCampaignNames(tx, profileId, [row]), profile.currency)
  })
}

/** A day is evaluated once, whatever the condition. Days missed before the last closed day are not caught up on. */
const skipMissedDays = ({ evaluated_through: through }: queries.RuleRow, lastClosed: string) =>
  through !== null && through >= lastClosed ? through : null

const mutedUntil = (days: number, now: Date) => (days === 0 ? null : new Date(now.getTime() + days * DAY_MS))

const auditedFields = (rule: queries.RuleRow) => ({
  ...toSnapshot(rule),
  enabled: rule.enabled,
  muted_until: rule.muted_until,
})

export async function deleteAlert(context: ProfileContext, id: string): Promise<null> {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    if (!(await queries.deleteRule(tx, { profileId, id }))) throw alertNotFound()
    await recordSetting(tx, context, { action: 'alert.deleted', subject: id, before: { id }, after: null })
    return null
  })
}

export async function previewAlert(context: ProfileContext, { condition }: { condition: AlertCondition }) {
  const { db, profile } = context
  const columns = await readCondition(context, condition)
  if (columns.kind === 'finding') return null
  const row = { name: '', ...columns }
  const rule = toThreshold(row)
  const to = await previewEnd(context, rule)
  const days = listDays(addDays(to, 1 - PREVIEW_DAYS), to)
  const series = await readSeries(db, {
    profileId: profile.id,
    campaignId: columns.campaign_id,
    from: days[0]!,
    to,
  })
  const { fired, unknownDays } = replay(series, rule, days)
  const figureOf = (figure: ReturnType<typeof evaluateFigure>) => toFigure(figure, row, profile.currency)
  return {
    days: PREVIEW_DAYS,
    fired: fired.map(({ day, recoveredOn, figure }) => ({
      day,
      recovered_on: recoveredOn,
      figure: figureOf(figure),
    })),
    unknown_days: unknownDays,
    latest: figureOf(evaluateFigure(series, rule, to)),
  }
}

/** The last day that the job could have evaluated and whose data is complete. */
async function previewEnd({ db, profile, now }: ProfileContext, rule: Threshold): Promise<string> {
  const day = lastEvaluatedDay(now, profile.timezone)
  if (!needsSpend(rule)) return day
  const sources = await listAdDataThrough(db, { profile, day })
  return sources.reduce((end, { through }) => (through !== null && through < end ? through : end), day)
}

export async function listAlertLog({ db, profile }: ProfileContext) {
  const rows = await queries.listEvents(db, { profileId: profile.id, limit: LOG_LENGTH })
  const names = await loadCampaignNames(
    db,
    profile.id,
    rows.map(({ rule }) => rule),
  )
  return rows.map((row) => ({
    id: row.id,
    alert_id: row.rule_id,
    kind: row.kind as 'fired' | 'recovered',
    day: row.day,
    name: row.rule.name,
    condition: toCondition(row.rule, profile.currency),
    campaign_name: names.get(row.rule.campaign_id ?? '') ?? null,
    figure: toFigure(row.figure, row.rule, profile.currency),
    recovered_on: row.kind === 'fired' ? findRecovery(row, rows) : null,
    is_muted: row.is_muted,
    created_at: row.created_at,
  }))
}

/** The first recovery of the rule after it fired; rows are sorted newest first. */
function findRecovery(fired: queries.EventRow, rows: readonly queries.EventRow[]): string | null {
  const recoveries = rows.filter(
    ({ rule_id, kind, day }) => rule_id === fired.rule_id && kind === 'recovered' && day > fired.day,
  )
  return recoveries.at(-1)?.day ?? null
}
