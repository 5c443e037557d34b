/** People reached by ads, from the reach rollups. */

import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { type DateRange, listDays, listMonths } from '../../../platform/contract/dates.ts'
import { inSnapshot, type Tx } from '../../../platform/db/database.ts'
import { ALL, type ReachChannel, reachOrigins } from '../../attribution/crediting/reach/rules.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import { loadWaiting } from '../../figures/snapshot/queries/freshness.ts'
import { toFreshness } from '../../figures/snapshot/snapshot.ts'
import { listSources } from '../../figures/snapshot/sources.ts'
import type * as contract from './contract.ts'
import { type AdReach, adNames, firstByAd, firstByTime, reachByAd, reachByTime } from './queries.ts'

export type AdPeopleQuery = {
  range: DateRange
  groupBy: 'month' | 'day' | 'ad'
  channel: ReachChannel | null
  firstOnly: boolean
  limit: number
}
type Data = z.input<(typeof contract.listAdPeople)['reply']>
type Count = { people: number; touches: number }
type Counts = { all: Count; byOrigin: Map<string, Count> }

const originLabels: Data['origin_labels'] = {
  partner_ad_referral: {
    label_en: 'Ad referral from a partner',
    label_es: 'Referencia de anuncio de un socio',
    description: 'Reported by a partner for conversations that were not received live.',
  },
  conversation_referral: {
    label_en: 'Conversation from an ad',
    label_es: 'Conversación desde un anuncio',
    description: 'A chat or photo-app conversation that was received with its ad referral.',
  },
  web: {
    label_en: 'Website visit from an ad',
    label_es: 'Visita web desde un anuncio',
    description: 'A tracked visit whose link named the ad.',
  },
  other: {
    label_en: 'Other ad touch',
    label_es: 'Otro contacto con un anuncio',
    description: 'Any other touch that named an ad.',
  },
}

export async function listAdPeople(context: ProfileContext, query: AdPeopleQuery) {
  const { range } = query
  const { db } = await context.service.nodes.shardOf(context.profile.id)
  return inSnapshot(db, async (tx) => {
    const data = await readData(tx, context, query)
    const freshness = {
      ...toFreshness(await loadWaiting(tx, context.profile.id), context.now),
      sources: await listSources(tx, context),
    }
    const hash = hashOf(data).toString('hex')
    return { data, meta: { date_from: range.from, date_to: range.to, freshness, result_hash: hash } }
  })
}

async function readData(tx: Tx, context: ProfileContext, query: AdPeopleQuery): Promise<Data> {
  const { range, groupBy, firstOnly } = query
  const scope = { profileId: context.profile.id, channel: query.channel ?? ALL, range }
  const messaging = await readSums(tx, {
    profileId: scope.profileId,
    from: range.from,
    to: range.to,
    measures: ['messaging_started'],
    by: ['day'],
  })
  const startedIn = (from: string, to: string) => {
    const counts = messaging
      .filter((row) => row.day >= from && row.day <= to)
      .flatMap(({ messaging_started: count }) => (count === null ? [] : [count]))
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
  }
  const times = await countTimes(tx, { ...scope, groupBy: groupBy === 'day' ? 'day' : 'month', firstOnly })
  const buckets =
    groupBy === 'ad'
      ? await adBuckets(tx, query, scope)
      : timeBuckets(groupBy, range).map((bucket) => ({
          ...bucket,
          ad_id: null,
          ad_name: null,
          ...toWire(times.buckets.get(bucket.start) ?? nothing()),
          meta_messaging_conversations_started: startedIn(bucket.start, bucket.end),
        }))
  const limitedBuckets = groupBy === 'ad' ? buckets.slice(0, query.limit) : buckets
  return {
    date_from: range.from,
    date_to: range.to,
    group_by: groupBy,
    channel: query.channel,
    first_only: firstOnly,
    timezone: context.profile.timezone,
    totals: {
      ...toWire(times.totals),
      meta_messaging_conversations_started: startedIn(range.from, range.to),
    },
    buckets: limitedBuckets,
    buckets_total: buckets.length,
    buckets_truncated: limitedBuckets.length < buckets.length,
    origin_labels: originLabels,
  }
}

function timeBuckets(groupBy: 'month' | 'day', range: DateRange) {
  return groupBy === 'day'
    ? listDays(range.from, range.to).map((day) => ({ key: day, start: day, end: day }))
    : listMonths(range.from, range.to).map(({ month, from, to }) => ({ key: month, start: from, end: to }))
}

type Scope = { profileId: string; channel: string; range: DateRange }

async function countTimes(
  tx: Tx,
  params: Scope & { groupBy: 'month' | 'day'; firstOnly: boolean },
): Promise<{ totals: Counts; buckets: Map<string, Counts> }> {
  const buckets = new Map<string, Counts>()
  const totals = nothing()
  const at = (bucket: string) => {
    const counts = buckets.get(bucket) ?? nothing()
    buckets.set(bucket, counts)
    return counts
  }
  if (params.firstOnly) {
    for (const row of await firstByTime(tx, params))
      for (const counts of [at(row.bucket), totals])
        for (const origin of [ALL, row.origin]) add(counts, origin, row.people, row.people)
    return { totals, buckets }
  }
  for (const row of await reachByTime(tx, params)) {
    add(at(row.bucket), row.origin, row.people, row.touches)
    add(totals, row.origin, row.window_people, row.touches)
  }
  return { totals, buckets }
}

function nothing(): Counts {
  return { all: { people: 0, touches: 0 }, byOrigin: new Map() }
}

function add(counts: Counts, origin: string, people: number, touches: number): void {
  const count = origin === ALL ? counts.all : (counts.byOrigin.get(origin) ?? { people: 0, touches: 0 })
  if (origin !== ALL) counts.byOrigin.set(origin, count)
  count.people += people
  count.touches += touches
}

function toWire(counts: Counts) {
  const countsOf = (origin: string) => counts.byOrigin.get(origin) ?? { people: 0, touches: 0 }
  return {
    ad_people: counts.all.people,
    ad_touches: counts.all.touches,
    by_origin: Object.fromEntries(
      reachOrigins.map((origin) => [origin, countsOf(origin)]),
    ) as Data['totals']['by_origin'],
  }
}

async function adBuckets(tx: Tx, query: AdPeopleQuery, scope: Scope): Promise<Data['buckets']> {
  const rows = query.firstOnly ? sumOrigins(await firstByAd(tx, scope)) : await reachByAd(tx, scope)
  const byAd = new Map<string, Counts>()
  for (const row of rows) {
    const counts = byAd.get(row.ad) ?? nothing()
    byAd.set(row.ad, counts)
    add(counts, row.origin, row.people, row.touches)
  }
  const ranked = [...byAd].sort(
    ([a, left], [b, right]) =>
      right.all.people - left.all.people || right.all.touches - left.all.touches || (a < b ? -1 : 1),
  )
  const topAds = ranked.slice(0, query.limit).map(([ad]) => ad)
  const names = await adNames(tx, { profileId: scope.profileId, range: scope.range, ads: topAds })
  return ranked.map(([ad, counts]) => ({
    key: ad,
    start: query.range.from,
    end: query.range.to,
    ad_id: ad,
    ad_name: names.get(ad)?.name ?? null,
    ...toWire(counts),
    meta_messaging_conversations_started: names.get(ad)?.started ?? null,
  }))
}

/** Each person has exactly one first touch, so `all` is the sum of the origins. */
function sumOrigins(rows: readonly AdReach[]): AdReach[] {
  return rows.flatMap((row) => [row, { ...row, origin: ALL }])
}
