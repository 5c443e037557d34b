/**
 * Evaluates the rules of a profile on closed days. States, log, messages and events are written in one transaction, so a
 * crash loses or repeats nothing. All changes of one evaluation are sent as one message.
 */
import type { JobContext, ProfileRef } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays, DAY_MS, dayNumber, listDays } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import { localDay, localMinute } from '../../../platform/contract/zones.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { isOpen } from '../../advice/doctor/verdict-rules.ts'
import { alertChanged } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import { readSeries } from '../../figures/daily-sums/read-series.ts'
import { insertDeliveries, listReceivers } from '../briefs/queries.ts'
import type { AlertCondition } from './contract.ts'
import { deliverRef } from './job-names.ts'
import * as queries from './queries.ts'
import { type Readiness, readReadiness } from './readiness.ts'
import {
  type Change,
  END_DAYS,
  evaluateFigure,
  type Figure,
  type RuleState,
  step,
  stepFinding,
} from './rules.ts'
import { noThreshold, toCondition, toFigure, toSnapshot, toThreshold } from './units-rules.ts'

/** Local time before which nothing is evaluated: platforms complete a day's data in the first hours of the next. */
const FROM_MINUTE = 6 * 60
/** Until this time, rules with complete data wait for the others, so that a bad day is reported in one message. */
const TOGETHER_UNTIL_MINUTE = 12 * 60
/** After an outage, missed days are evaluated in order; this many at most. */
const CATCH_UP_DAYS = 7
const KEPT_MS = 400 * DAY_MS

/** The most recent day that can be evaluated at this time. */
export function lastEvaluatedDay(now: Date, timezone: string): string {
  return addDays(localDay(now, timezone), localMinute(now, timezone) < FROM_MINUTE ? -2 : -1)
}

export async function evaluateProfile(context: JobContext, profileId: string): Promise<void> {
  const { service, now } = context
  const profile = await findProfileRef(service.db, { profileId })
  if (profile === undefined) return
  const minute = localMinute(now, profile.timezone)
  if (minute < FROM_MINUTE) return
  const day = lastEvaluatedDay(now, profile.timezone)
  const readiness = await readReadiness({ service, profile, now }, day)
  await inTransaction(service.db, async (tx) => {
    const rules = await queries.lockEnabledRules(tx, { profileId })
    const open = rules.filter((rule) => rule.evaluated_through === null || rule.evaluated_through < day)
    const mustWait =
      minute < TOGETHER_UNTIL_MINUTE && open.some((rule) => readiness.holdReason(rule) !== null)
    const alerts: AlertChange[] = []
    for (const rule of open) {
      const holdReason = readiness.holdReason(rule)
      if (holdReason !== null || mustWait) {
        const ended = holdReason === null ? null : endWithoutData(rule, day)
        if (rule.held !== holdReason || ended !== null)
          await queries.updateRule(tx, {
            profileId,
            id: rule.id,
            fields: { held: holdReason, ...(ended === null ? {} : { state: 'ok', calm_days: 0 }) },
          })
        if (ended !== null) alerts.push(ended)
        continue
      }
      alerts.push(...(await evaluateRule(tx, rule, day, readiness)))
    }
    await announce(tx, profile, alerts, now)
    await queries.deleteEventsBefore(tx, { profileId, before: new Date(now.getTime() - KEPT_MS) })
  })
}

type AlertChange = { rule: queries.RuleRow; day: string; change: Exclude<Change, null>; figure: Figure }

/** Ends a firing rule whose data stopped arriving. */
function endWithoutData(rule: queries.RuleRow, day: string): AlertChange | null {
  const { state, evaluated_through: through, figure } = rule
  if (state !== 'firing' || through === null || figure === null) return null
  return dayNumber(day) - dayNumber(through) < END_DAYS ? null : { rule, day, change: 'ended', figure }
}

async function evaluateRule(
  tx: Tx,
  rule: queries.RuleRow,
  day: string,
  { checks }: Readiness,
): Promise<AlertChange[]> {
  const { profile_id: profileId, id } = rule
  const before: RuleState = {
    state: rule.state as RuleState['state'],
    firedOn: rule.fired_on,
    calmDays: rule.calm_days,
  }
  const save = (after: RuleState, figure: queries.StoredFigure) =>
    queries.updateRule(tx, {
      profileId,
      id,
      fields: {
        state: after.state,
        fired_on: after.firedOn,
        calm_days: after.calmDays,
        evaluated_through: day,
        figure: JSON.stringify(figure),
        held: null,
      },
    })
  if (rule.kind === 'finding') {
    const openChecks = checks.filter(({ check_id, status }) =>
      rule.check_id === null ? status === 'problem' : check_id === rule.check_id && isOpen(status),
    )
    const openIds = openChecks.map(({ check_id }) => check_id)
    const announced = rule.figure?.announced ?? []
    const { after, change } = stepFinding({ ...before, announced }, openIds, day)
    const figure = toFindingFigure(openIds, day)
    await save(after, { ...figure, announced: after.announced })
    return change === null ? [] : [{ rule, day, change, figure }]
  }
  const threshold = toThreshold(rule)
  const first = rule.evaluated_through === null ? day : addDays(rule.evaluated_through, 1)
  const days = listDays(first, day).slice(-CATCH_UP_DAYS)
  const series = await readSeries(tx, {
    profileId,
    campaignId: rule.campaign_id,
    from: days[0]!,
    to: day,
  })
  const changes: AlertChange[] = []
  let state = before
  let figure!: Figure
  for (const evaluatedDay of days) {
    figure = evaluateFigure(series, threshold, evaluatedDay)
    const { after, change } = step(state, figure, threshold.windowDays)
    state = after
    if (change !== null) changes.push({ rule, day: evaluatedDay, change, figure })
  }
  await save(state, figure)
  return changes
}

function toFindingFigure(checkIds: string[], day: string): Figure {
  return {
    from: day,
    to: day,
    value: checkIds.length,
    before: null,
    change: null,
    conversions: 0,
    conversionsBefore: 0,
    verdict: checkIds.length > 0 ? 'breach' : 'clear',
    reason: null,
    checkIds,
  }
}

const noMoreData = { verdict: 'unknown', reason: 'no_more_data' } satisfies Partial<Figure>

async function announce(
  tx: Tx,
  profile: ProfileRef,
  alerts: readonly AlertChange[],
  now: Date,
): Promise<void> {
  if (alerts.length === 0) return
  const profileId = profile.id
  const batchId = uuidv7(now)
  const rows = alerts.map(({ rule, day, change, figure }) => ({
    profile_id: profileId,
    id: uuidv7(now),
    rule_id: rule.id,
    batch_id: batchId,
    day,
    kind: change === 'fired' ? 'fired' : 'recovered',
    rule: JSON.stringify(toSnapshot(rule)),
    figure: JSON.stringify(change === 'ended' ? { ...figure, ...noMoreData } : figure),
    is_muted: change === 'ended' || (rule.muted_until !== null && rule.muted_until > now),
    created_at: now,
  }))
  const inserted = await queries.insertEvents(tx, rows)
  const announced = rows.flatMap((row, index) =>
    inserted.has(row.id) && !row.is_muted ? [{ ...alerts[index]!, id: row.id }] : [],
  )
  if (announced.length === 0) return
  const receivers = (await listReceivers(tx, { profileIds: [profileId] })).filter(({ alerts }) => alerts)
  const deliveryIds = await insertDeliveries(
    tx,
    receivers.map((receiver) => ({
      profile_id: profileId,
      id: uuidv7(now),
      receiver_id: receiver.id,
      occasion: `alerts ${batchId}`,
      status: 'queued',
      created_at: now,
    })),
  )
  for (const id of deliveryIds)
    await enqueue(tx, deliverRef, { profile_id: profileId, delivery_id: id }, { profileId })
  await recordEvents(
    tx,
    announced.map(({ id, rule, day, change, figure }) => {
      const { currency } = profile
      const { value, before, change_percent, conversions, check_ids } = toFigure(figure, rule, currency)
      const data = {
        alert_id: rule.id,
        name: withoutPersonalValues(rule.name),
        day,
        currency,
        ...toEventCondition(toCondition(rule, currency)),
        value,
        before,
        change_percent,
        conversions,
        check_ids,
      }
      const type = change === 'fired' ? 'alert.fired' : 'alert.recovered'
      return alertChanged(type, profileId, data, { id, occurredAt: now })
    }),
    now,
  )
}

function toEventCondition(condition: AlertCondition) {
  const { min_conversions: _, ...fields } =
    condition.kind === 'finding' ? { kind: condition.kind, ...noThreshold } : condition
  return fields
}
