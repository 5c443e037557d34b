/**
 * Changes at the ad platform. Each reads the platform's state first, applies the rules, and updates our
 * copy. Every attempt is audited, including refused ones.
 */
import { ProviderError, type Session } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseMoney, toDecimalNumber } from '../../../platform/contract/money.ts'
import { saveAppliedSettings } from '../../facts/ads/applied-settings.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { live } from '../connections/operations.ts'
import { type ConnectionRow, findConnection, listConnectionRows } from '../connections/queries.ts'
import { type Entity, findEntity } from './queries.ts'
import { type Decision, decideBudget, decideStatus, type Refusal, type WantedStatus } from './rules.ts'

export async function getCampaignStatus(context: ProfileContext, id: string) {
  const entity = await getEntity(context, 'campaign', id, true)
  const connection = await connectionOf(context, entity)
  const state = await live(context, connection, (session, { connector }) =>
    (connector.ads ?? unsupported()).readStatus(session, entity),
  )
  const { currency } = connection
  return {
    campaign_id: entity.id,
    platform_id: entity.externalId,
    status: state.status,
    effective_status: state.effectiveStatus,
    daily_budget: toMoney(state.dailyBudgetMinor, currency),
    lifetime_budget: toMoney(state.lifetimeBudgetMinor, currency),
    currency,
  }
}

export const pauseCampaign = (context: ProfileContext, id: string) =>
  setStatus(context, 'campaign', id, 'PAUSED')
export const resumeCampaign = (context: ProfileContext, id: string) =>
  setStatus(context, 'campaign', id, 'ACTIVE')
export const pauseAdSet = (context: ProfileContext, id: string) => setStatus(context, 'ad_set', id, 'PAUSED')
export const resumeAdSet = (context: ProfileContext, id: string) => setStatus(context, 'ad_set', id, 'ACTIVE')
export const pauseAd = (context: ProfileContext, id: string) => setStatus(context, 'ad', id, 'PAUSED')
export const resumeAd = (context: ProfileContext, id: string) => setStatus(context, 'ad', id, 'ACTIVE')

function setStatus(context: ProfileContext, level: AdLevel, id: string, targetStatus: WantedStatus) {
  const attempt = { action: `${level}.${targetStatus === 'PAUSED' ? 'pause' : 'resume'}`, id, detail: {} }
  return audited(context, attempt, async () => {
    const entity = await getEntity(context, level, id, false)
    const { decision, before } = await write(context, entity, async (session, connector) => {
      const current = await (connector.ads ?? unsupported()).readStatus(session, entity)
      const decision = decideStatus(level, current.status, targetStatus)
      if (decision.outcome === 'change')
        await (connector.ads ?? unsupported()).setStatus(session, entity, targetStatus)
      return { decision, before: current.status }
    })
    const status = decision.outcome === 'change' ? targetStatus : before
    await saveAppliedSettings(context.service.db, context.profile.id, [entity.id], { status })
    refuse(decision)
    return {
      platform_id: entity.externalId,
      outcome: outcomeOf(decision),
      previous_status: before,
      status,
    }
  })
}

const outcomeOf = (decision: Decision) =>
  decision.outcome === 'change' ? ('changed' as const) : ('no_change' as const)

type BudgetBody = {
  daily_budget?: number | string | undefined
  lifetime_budget?: number | string | undefined
}

export const setCampaignBudget = (context: ProfileContext, id: string, body: BudgetBody) =>
  setBudget(context, 'campaign', id, body)
export const setAdSetBudget = (context: ProfileContext, id: string, body: BudgetBody) =>
  setBudget(context, 'ad_set', id, body)

function setBudget(context: ProfileContext, level: 'campaign' | 'ad_set', id: string, body: BudgetBody) {
  return audited(context, { action: `${level}.budget`, id, detail: body }, async () => {
    const type = budgetTypeOf(body)
    const entity = await getEntity(context, level, id, false)
    return write(context, entity, async (session, connector, connection) => {
      const currency = connection.currency ?? entity.currency
      if (currency === null)
        throw new ApiError('connection_not_ready', 'The ad account’s currency is not known yet.')
      const wantedMinor = toMinor(
        (type === 'daily' ? body.daily_budget : body.lifetime_budget)!,
        currency,
        type,
      )
      const target = { level, externalId: entity.externalId }
      const current = await (connector.ads ?? unsupported()).readBudget(session, target)
      const currentMinor = type === 'daily' ? current.dailyBudgetMinor : current.lifetimeBudgetMinor
      const decision = decideBudget({ level, ...current, currentMinor, wantedMinor })
      refuse(decision)
      if (decision.outcome === 'change')
        await (connector.ads ?? unsupported()).setBudget(session, target, { type, amountMinor: wantedMinor })
      await saveAppliedSettings(context.service.db, context.profile.id, [entity.id], {
        [`${type}_budget_minor` as const]: wantedMinor,
      })
      return {
        platform_id: entity.externalId,
        outcome: outcomeOf(decision),
        budget_type: type,
        previous_budget: toMoney(currentMinor, currency),
        budget: toDecimalNumber(wantedMinor, currency),
        currency,
      }
    })
  })
}

export function budgetTypeOf(body: BudgetBody): 'daily' | 'lifetime' {
  if ((body.daily_budget === undefined) === (body.lifetime_budget === undefined))
    throw new ApiError('validation_error', 'pass either daily_budget or lifetime_budget.', {
      field: 'daily_budget',
    })
  return body.daily_budget === undefined ? 'lifetime' : 'daily'
}

function toMinor(value: number | string, currency: string, type: string): number {
  const parsed = parseMoney(value, currency)
  if (!parsed.ok) throw new ApiError('validation_error', `${parsed.message}.`, { field: `${type}_budget` })
  return parsed.amountMinor
}

const toMoney = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? null : toDecimalNumber(minor, currency)

/** Only entities that a sync, an import or a visit has stored can be changed. */
async function getEntity(
  context: ProfileContext,
  level: AdLevel,
  id: string,
  acceptsOurId: boolean,
): Promise<Entity> {
  const entity = await findEntity(context.db, { profileId: context.profile.id, level, id, acceptsOurId })
  if (entity !== undefined) return entity
  if (level !== 'campaign')
    throw new ApiError(
      'not_found',
      `No ${level === 'ad' ? 'ad' : 'ad set'} with this platform id in this profile.`,
    )
  throw new ApiError('campaign_not_found', 'No campaign with this platform id in this profile.', {
    hint: 'Use platform_id of a GET /campaigns row.',
  })
}

/** The connection that synced the entity. For an entity known only from visits: the profile's ad account, if it has exactly one. */
async function connectionOf(context: ProfileContext, entity: Entity): Promise<ConnectionRow> {
  const profileId = context.profile.id
  if (entity.connectionId !== null) {
    const connection = await findConnection(context.db, { profileId, id: entity.connectionId })
    if (connection !== undefined && connection.status !== 'revoked') return connection
  }
  if (entity.connectionId === null && entity.source !== null)
    throw new ApiError(
      'social_connection_required',
      `This was imported from ${entity.source} and belongs to no connected ad platform; change it there.`,
    )
  const rows = await listConnectionRows(context.db, { profileId, appId: null })
  const usable = rows.filter((row) => /_ads$/.test(row.provider) && row.status !== 'revoked')
  if (usable.length === 1 && entity.connectionId === null) return usable[0]!
  throw new ApiError(
    'social_connection_required',
    'No usable ad-platform connection has access to this campaign.',
  )
}

const unsupported = () => {
  throw new ApiError('not_implemented', 'This platform does not offer that change.')
}

async function write<T>(
  context: ProfileContext,
  entity: Entity,
  work: (
    session: Session,
    connector: Parameters<Parameters<typeof live>[2]>[1]['connector'],
    row: ConnectionRow,
  ) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(context, entity)
  return live(context, connection, async (session, { connector }, row) => {
    try {
      return await work(session, connector, row)
    } catch (error) {
      throw toWriteError(error, entity.level)
    }
  })
}

function toWriteError(error: unknown, level: AdLevel): unknown {
  if (!(error instanceof ProviderError)) return error
  if (error.reason === 'permission_missing')
    return new ApiError(
      'social_write_permission_missing',
      'The ad connection was granted read-only; reconnect it and accept the permission to manage ads.',
      { cause: error },
    )
  if (error.reason === 'not_found')
    return new ApiError(
      level === 'campaign' ? 'campaign_not_found' : 'not_found',
      'The platform no longer has an entity with this id.',
      { cause: error },
    )
  if (error.reason === 'rejected')
    return new ApiError(
      'validation_error',
      `The platform refused the change: ${error.providerMessage ?? error.message}`,
      {
        cause: error,
        ...(error.providerMessage === null ? {} : { provider_message: error.providerMessage }),
        ...(error.providerCode === null ? {} : { provider_code: error.providerCode }),
      },
    )
  return error
}

const refusalMessages: Record<Refusal, string> = {
  campaign_not_pausable: 'Only an ACTIVE campaign can be paused.',
  campaign_not_resumable: 'Only a PAUSED campaign can be resumed.',
  invalid_state: 'The ad is archived or deleted; it can be neither paused nor resumed.',
  campaign_not_editable: 'The campaign is archived or deleted; its budget cannot change.',
  adset_not_editable: 'The ad set or its campaign is archived or deleted; it cannot change.',
  budget_change_out_of_bounds:
    'One change may move a budget by at most 50 % of its current value, and not below the minimum, which is 1.00 in most currencies.',
}

function refuse(decision: Decision): void {
  if (decision.outcome === 'refused') throw new ApiError(decision.code, refusalMessages[decision.code])
}

/** The audit record is written outside the request's transaction, so that it survives the rollback of a refusal. */
async function audited<T extends { outcome: string }>(
  context: ProfileContext,
  attempt: { action: string; id: string; detail: object },
  work: () => Promise<T>,
): Promise<T> {
  const record = (detail: object) =>
    recordChange(context.service.db, context, {
      workspaceId: context.profile.workspaceId,
      profileId: context.profile.id,
      action: attempt.action,
      subject: attempt.id,
      detail: { ...attempt.detail, ...detail },
    })
  try {
    const result = await work()
    await record(result)
    return result
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal_error'
    await record({ outcome: 'refused', code })
    throw error
  }
}
