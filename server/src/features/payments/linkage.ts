/** How each sale reached an ad: the touch that the model credits most, and what it names. */
import { explain, identifierKinds, type Model } from '@whence/engine'
import { sql } from 'kysely'
import type { ProfileContext } from '../../context.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import type { Db, Tx } from '../../db/database.ts'
import { type AdPath, resolvePaths } from '../attribution/credits/paths.ts'
import { dropEchoes } from '../attribution/incremental/journeys.ts'
import { loadSettings } from '../attribution/settings.ts'
import { membersOf } from '../identity/members.ts'
import { isSomebody, listPayments, type PaymentRow } from './queries.ts'
import type { After, TimeRange } from './rules.ts'

type TouchRow = {
  id: string
  customer_id: string
  identifier_kind: number
  occurred_at: Date
  recorded_at: Date
  channel: string
  origin: string
  platform: string | null
  is_direct: boolean
  campaign_external_id: string | null
  ad_set_external_id: string | null
  ad_external_id: string | null
  reported_at: Date | null
  click_id_kind: string | null
  click_id: string | null
}

export async function listPaymentLinkage(
  context: ProfileContext,
  params: { range: TimeRange; model: Model; after: After | null; limit: number },
) {
  const { db, profile } = context
  const found = await listPayments(db, {
    profileId: profile.id,
    ...params,
    status: 'arrived',
    limit: params.limit + 1,
  })
  const payments = found.slice(0, params.limit)
  const settings = await loadSettings(db, profile.id)
  const touches = await loadTouches(db, profile.id, [...new Set(payments.map((row) => row.customer_id))])
  const touchesOf = Map.groupBy(touches, (touch) => touch.customer_id)
  const credited = payments.map((payment) => {
    const own = touchesOf.get(payment.customer_id) ?? []
    const candidates = own.map((touch) => ({
      id: touch.id,
      occurredAt: touch.occurred_at.getTime(),
      recordedAt: touch.recorded_at.getTime(),
      isDirect: touch.is_direct,
    }))
    const facts = { occurredAt: payment.occurred_at.getTime(), amountMinor: payment.value_minor }
    const shares = explain(facts, candidates, settings, params.model).filter(
      (touch) => touch.status === 'credited',
    )
    const most = mostCredited(shares.map(({ touchIndex, weight }) => ({ touch: own[touchIndex]!, weight })))
    return most?.touch
  })
  const paths = await resolvePaths(
    db,
    profile.id,
    credited.filter((touch) => touch !== undefined),
  )
  const names = await loadNames(db, profile.id, [...paths.values()])
  return {
    hasNext: found.length > params.limit,
    last: payments.at(-1),
    rows: payments.map((payment, index) => toRow(payment, credited[index], paths, names)),
  }
}

type Weighed = { touch: TouchRow; weight: number }

/** In the order of the journey. Of equals the latest, and at one instant the one recorded first, as in every model. */
function mostCredited(shares: readonly Weighed[]): Weighed | undefined {
  let best: Weighed | undefined
  for (const share of shares) {
    const isMore = best === undefined || share.weight > best.weight
    const isLater =
      best !== undefined && share.weight === best.weight && share.touch.occurred_at > best.touch.occurred_at
    if (isMore || isLater) best = share
  }
  return best
}

async function loadTouches(
  db: Db | Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<TouchRow[]> {
  const { rows } = await sql<TouchRow>`
    select t.id, i.customer_id, i.kind as identifier_kind, t.occurred_at, t.recorded_at, t.channel, t.origin, t.platform,
      t.is_direct, t.campaign_external_id, t.ad_set_external_id, t.ad_external_id, t.reported_at, t.click_id_kind, t.click_id
    from ${membersOf(profileId, customerIds)} i
    join touches t on t.profile_id = ${profileId} and t.identifier_id = i.id
    order by t.occurred_at, t.recorded_at, t.id`.execute(db)
  return dropEchoes(rows)
}

type Named = { id: string; platform_id: string; name: string | null }

async function loadNames(
  db: Db | Tx,
  profileId: string,
  paths: readonly AdPath[],
): Promise<Map<string, Named>> {
  const ids = paths.flatMap((path) => [path.campaignId, path.adSetId, path.adId]).filter((id) => id !== null)
  const { rows } = await sql<Named>`
    select id, external_id as platform_id, name from ad_entities
    where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

function toRow(
  payment: PaymentRow,
  touch: TouchRow | undefined,
  paths: ReadonlyMap<TouchRow, AdPath>,
  names: ReadonlyMap<string, Named>,
) {
  const path = touch === undefined ? undefined : paths.get(touch)
  const named = (id: string | null | undefined) =>
    id === null || id === undefined ? null : (names.get(id) ?? null)
  return {
    payment_id: payment.id,
    occurred_at: payment.occurred_at.toISOString(),
    provider: payment.provider,
    value: toDecimalNumber(payment.value_minor, payment.currency),
    currency: payment.currency,
    customer_id: isSomebody(payment) ? payment.customer_id : null,
    linkage: linkageOf(touch, path),
    matched_by: touch === undefined ? null : (identifierKinds[touch.identifier_kind] ?? null),
    touch:
      touch === undefined
        ? null
        : {
            touch_id: touch.id,
            occurred_at: touch.occurred_at.toISOString(),
            channel: touch.channel,
            origin: touch.origin,
            platform: touch.platform,
          },
    campaign: named(path?.campaignId),
    ad_set: named(path?.adSetId),
    ad: named(path?.adId),
  }
}

type Linkage = 'ad' | 'ad_set' | 'campaign' | 'paid_click' | 'other_touch' | 'direct' | 'no_touch'

function linkageOf(touch: TouchRow | undefined, path: AdPath | undefined): Linkage {
  if (touch === undefined || path === undefined) return 'no_touch'
  if (path.adId !== null) return 'ad'
  if (path.adSetId !== null) return 'ad_set'
  if (path.campaignId !== null) return 'campaign'
  if (touch.platform !== null) return 'paid_click'
  return touch.is_direct ? 'direct' : 'other_touch'
}
