import type { z } from 'zod'
import type { ProfileContext, Service } from '../../../context.ts'
import type { DateRange } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { requireUnitOfRead } from '../../../platform/http/rate-limit.ts'
import { type Rules, simulateRules } from '../../attribution/crediting/full/simulate.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { entityDetails } from '../../figures/rollups/entities.ts'
import type { whatIf as contract } from './contract.ts'
import { hasDuplicateSales, type Size, sizeOf } from './queries.ts'
import { compareAll, compareTotals, creditIn, isSame, type Level } from './rules.ts'
import { createTurns, type Turns } from './turns.ts'

/** Everything is kept in memory and credited twice, concurrently with other requests. */
const limits: Size = { conversions: 300_000, identifiers: 1_000_000, touches: 2_000_000 }
const PER_PROFILE = { perMinute: 6, burst: 6 }
const MAX_CAMPAIGNS = 500
const RETRY_SECONDS = 10

const MOST_WAITING = 20
const WAIT_MS = 20_000

/** Of each service: one comparison at a time, because of its memory. */
const turnsOfService = new WeakMap<object, Turns>()

async function takeTurn(service: Service, workspaceId: string): Promise<() => void> {
  const turns = turnsOfService.get(service) ?? createTurns({ mostWaiting: MOST_WAITING, waitMs: WAIT_MS })
  turnsOfService.set(service, turns)
  const end = await turns.take(workspaceId)
  if (end === undefined)
    throw new ApiError('rate_limit_exceeded', 'Another comparison is running. Try again in a moment.', {
      retryAfter: RETRY_SECONDS,
    })
  return end
}

export async function whatIf(
  { service, profile }: ProfileContext,
  range: DateRange,
  changes: z.output<typeof contract.query>,
): Promise<z.input<typeof contract.reply>> {
  const { db } = await service.nodes.of(profile.id)
  await requireUnitOfRead(service, {
    key: `what-if:${profile.id}`,
    limit: PER_PROFILE,
    message: 'Too many comparisons for this profile within a minute.',
  })
  const size = await sizeOf(db, profile.id, limits)
  const [large] = (Object.keys(limits) as (keyof Size)[]).filter((name) => size[name] > limits[name])
  if (large !== undefined)
    throw new ApiError(
      'invalid_state',
      `The profile has more than ${limits[large]} ${large}, which is too many for a preview. Save the change to see its effect; you can revert it afterwards.`,
    )
  if (changes.without_goal_ids !== undefined && (await hasDuplicateSales(db, profile.id)))
    throw new ApiError(
      'invalid_state',
      'Several sources report the same orders, so duplicates would replace the excluded conversions. Change the goal to see the effect; you can revert it afterwards.',
    )
  const end = await takeTurn(service, profile.workspaceId)
  try {
    const attribution = await loadAttributionProfile(db, profile.id)
    const { settings, channelOverrides } = attribution
    const today: Rules = { settings, channelOverrides, withoutGoals: new Set() }
    const changed: Rules = {
      settings: {
        lookbackDays: changes.lookback_days ?? settings.lookbackDays,
        firstTouchLookbackDays: changes.first_touch_lookback_days ?? settings.firstTouchLookbackDays,
        halfLifeDays: changes.half_life_days ?? settings.halfLifeDays,
      },
      channelOverrides: changes.channel_rules ?? channelOverrides,
      withoutGoals: new Set(changes.without_goal_ids),
    }
    const simulated = await simulateRules(db, attribution, [today, changed])
    if (simulated === undefined)
      throw new ApiError(
        'invalid_state',
        'The profile has not been recomputed since an upgrade. Start a recompute first.',
      )
    const [before, after] = simulated
    const sidesOf = (level: Level) => ({
      before: { credit: creditIn(before!, level, changes.model, range), model: changes.model },
      after: {
        credit: creditIn(after!, level, changes.changed_model ?? changes.model, range),
        model: changes.changed_model ?? changes.model,
      },
    })
    const byCampaign = sidesOf('campaign')
    const campaigns = compareAll(byCampaign, profile.currency)
    const channels = compareAll(sidesOf('channel'), profile.currency)
    const total = compareTotals(byCampaign, profile.currency)
    const zeroTotal = {
      ...total,
      before: withoutOutcomes(total.before),
      after: withoutOutcomes(total.after),
      value_change: 0,
    }
    const ids = [...campaigns]
      .flatMap(([id, row]) => (id === '' || isSame(row) ? [] : [id]))
      .slice(0, MAX_CAMPAIGNS)
    const details = await entityDetails(db, { profileId: profile.id, ids })
    return {
      total,
      campaigns: ids.flatMap((id) => {
        const detail = details.get(id)
        return detail === undefined
          ? []
          : [{ campaign: { id, platform_id: detail.external_id, name: detail.name }, ...campaigns.get(id)! }]
      }),
      channels: [...channels].map(([channel, row]) => ({ channel: channel || 'unknown', ...row })),
      no_campaign: campaigns.get('') ?? zeroTotal,
    }
  } finally {
    end()
  }
}

const withoutOutcomes = <T extends object>(figures: T) => ({
  ...figures,
  outcome_count: 0,
  outcome_credit: 0,
  outcome_value: 0,
})
