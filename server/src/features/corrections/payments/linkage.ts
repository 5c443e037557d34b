/** For each payment, the touch that the model credits most, and its campaign, ad set and ad. */
import { explain, identifierKinds, type Model } from '@whence/engine'
import type { ProfileContext } from '../../../context.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { type CandidateTouch, listTouchesOfCustomers } from '../../attribution/crediting/candidate-touches.ts'
import {
  type ChannelOverride,
  countedChannel,
} from '../../attribution/crediting/credits/channel-overrides.ts'
import { type AdPath, resolvePaths } from '../../attribution/crediting/credits/paths.ts'
import { listEntityNames } from '../../attribution/crediting/describe-touches.ts'
import { listChannelOverrides, loadSettings } from '../../attribution/crediting/settings.ts'
import { hasCustomer, listCreditable, listPayments, type PaymentRow } from './queries.ts'
import type { PageCursor, TimeRange } from './rules.ts'

export async function listPaymentLinkage(
  context: ProfileContext,
  params: { range: TimeRange; model: Model; after: PageCursor | null; limit: number },
) {
  const { db, profile } = context
  const rows = await listPayments(db, {
    profileId: profile.id,
    ...params,
    status: 'arrived',
    limit: params.limit + 1,
  })
  const payments = rows.slice(0, params.limit)
  const settings = await loadSettings(db, profile.id)
  const paymentIds = payments.map((payment) => payment.id)
  const creditable = await listCreditable(db, { profileId: profile.id, paymentIds })
  const creditablePayments = payments.filter((payment) => creditable.has(payment.id))
  const touches = await listTouchesOfCustomers(db, {
    profileId: profile.id,
    customerIds: [...new Set(creditablePayments.map((row) => row.customer_id))],
  })
  const touchesOf = Map.groupBy(touches, (touch) => touch.customer_id)
  const credited = payments.map((payment) => {
    const customerTouches = creditable.has(payment.id) ? (touchesOf.get(payment.customer_id) ?? []) : []
    const candidates = customerTouches.map((touch) => ({
      id: touch.id,
      occurredAt: touch.occurred_at.getTime(),
      recordedAt: touch.recorded_at.getTime(),
      isDirect: touch.is_direct,
    }))
    const facts = { occurredAt: payment.occurred_at.getTime(), amountMinor: payment.value_minor }
    const shares = explain(facts, candidates, settings, params.model).filter(
      (touch) => touch.status === 'credited',
    )
    const best = findMostCredited(
      shares.map(({ touchIndex, weight }) => ({ touch: customerTouches[touchIndex]!, weight })),
    )
    return best?.touch
  })
  const paths = await resolvePaths(
    db,
    profile.id,
    credited.filter((touch) => touch !== undefined),
  )
  const names = await listEntityNames(db, profile.id, [...paths.values()])
  const overrides = await listChannelOverrides(db, profile.id)
  return {
    hasNext: rows.length > params.limit,
    last: payments.at(-1),
    rows: payments.map((payment, index) => {
      const isCreditable = creditable.has(payment.id)
      return toRow({ payment, isCreditable }, credited[index], { paths, names, overrides })
    }),
  }
}

type CreditedTouch = { touch: CandidateTouch; weight: number }

/** Ties go to the latest touch; at the same instant to the one recorded first, as in every model. `shares` are in journey order. */
function findMostCredited(shares: readonly CreditedTouch[]): CreditedTouch | undefined {
  let best: CreditedTouch | undefined
  for (const share of shares) {
    const isMore = best === undefined || share.weight > best.weight
    const isLater =
      best !== undefined && share.weight === best.weight && share.touch.occurred_at > best.touch.occurred_at
    if (isMore || isLater) best = share
  }
  return best
}

function toRow(
  { payment, isCreditable }: { payment: PaymentRow; isCreditable: boolean },
  touch: CandidateTouch | undefined,
  {
    paths,
    names,
    overrides,
  }: {
    paths: ReadonlyMap<CandidateTouch, AdPath & { entityPlatform: string | null }>
    names: Awaited<ReturnType<typeof listEntityNames>>
    overrides: readonly ChannelOverride[]
  },
) {
  const path = touch === undefined ? undefined : paths.get(touch)
  const entityOf = (id: string | null | undefined) =>
    id === null || id === undefined ? null : (names.get(id) ?? null)
  return {
    payment_id: payment.id,
    occurred_at: payment.occurred_at,
    provider: payment.provider,
    value: toDecimalNumber(payment.value_minor, payment.currency),
    currency: payment.currency,
    customer_id: hasCustomer(payment) ? payment.customer_id : null,
    linkage: isCreditable ? classifyLinkage(touch, path) : ('not_creditable' as const),
    matched_by: touch === undefined ? null : (identifierKinds[touch.identifier_kind] ?? null),
    touch:
      touch === undefined
        ? null
        : {
            touch_id: touch.id,
            occurred_at: touch.occurred_at,
            channel: countedChannel(touch, path?.entityPlatform ?? null, overrides),
            origin: touch.origin,
            platform: touch.platform,
          },
    campaign: entityOf(path?.campaignId),
    ad_set: entityOf(path?.adSetId),
    ad: entityOf(path?.adId),
  }
}

type Linkage = 'ad' | 'ad_set' | 'campaign' | 'paid_click' | 'other_touch' | 'direct' | 'no_touch'

function classifyLinkage(touch: CandidateTouch | undefined, path: AdPath | undefined): Linkage {
  if (touch === undefined || path === undefined) return 'no_touch'
  if (path.adId !== null) return 'ad'
  if (path.adSetId !== null) return 'ad_set'
  if (path.campaignId !== null) return 'campaign'
  if (touch.platform !== null) return 'paid_click'
  return touch.is_direct ? 'direct' : 'other_touch'
}
