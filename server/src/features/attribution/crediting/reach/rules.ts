/**
 * A customer's contribution to the reach rollups. A chain is the customer's touches of one channel (or all) and one
 * origin (or all). On each day of a chain the customer counts as one person; the row is keyed by the chain's previous
 * day, so that a date range can count each person once.
 */
import { localDay } from '../../../../platform/contract/zones.ts'

export const reachChannels = ['chatapp', 'photoapp', 'pagechat', 'web', 'other'] as const
export type ReachChannel = (typeof reachChannels)[number]
export const reachOrigins = ['partner_ad_referral', 'conversation_referral', 'web', 'other'] as const
export type ReachOrigin = (typeof reachOrigins)[number]
export const ALL = 'all'
/** Previous day of a chain's first day. */
export const NEVER = '-infinity'

/** Touches of one customer by day, ad, channel and origin, ordered by the first touch of each group. */
export type Reached = [day: string, ad: string, channel: ReachChannel, origin: ReachOrigin, touches: number]

export type AdTouch = { occurred_at: Date; ad_external_id: string; channel: string; origin: string }

/** Expects touches in journey order. */
export function toReached(touches: readonly AdTouch[], timezone: string): Reached[] {
  const groups = new Map<string, Reached>()
  for (const touch of touches) {
    const day = localDay(touch.occurred_at, timezone)
    const channel = channelOf(touch)
    const origin = originOf(touch.origin)
    const key = `${day}\0${touch.ad_external_id}\0${channel}\0${origin}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [day, touch.ad_external_id, channel, origin, 1])
    else group[4] += 1
  }
  return [...groups.values()]
}

function channelOf(touch: Pick<AdTouch, 'channel' | 'origin'>): ReachChannel {
  if (touch.channel === 'chatapp' || touch.channel === 'photoapp' || touch.channel === 'pagechat')
    return touch.channel
  return touch.origin === 'web' ? 'web' : 'other'
}

function originOf(origin: string): ReachOrigin {
  return reachOrigins.find((reachOrigin) => reachOrigin === origin) ?? 'other'
}

/** `adExternalId` and `firstOrigin` are empty if the table has no such column. */
export type ReachDelta = {
  channel: string
  day: string
  adExternalId: string
  origin: string
  previousDay: string
  firstOrigin: string
  people: number
  touches: number
}

/** Sums `after` minus `before` over many customers, without rows that cancel out. */
export class ReachSums {
  private readonly sums = { daily: new Sums(), ads: new Sums(), first: new Sums() }
  private readonly singleReach = new Map<string, { reached: Reached; people: number }>()

  add(changes: readonly { before: readonly Reached[]; after: readonly Reached[] }[]): void {
    for (const { before, after } of changes) {
      if (before.length === 0 && after.length === 1) {
        countSingleReach(this.singleReach, after[0]!)
        continue
      }
      addCustomer(this.sums, before, -1)
      addCustomer(this.sums, after, 1)
    }
  }

  deltas(): Record<'daily' | 'ads' | 'first', ReachDelta[]> {
    for (const { reached, people } of this.singleReach.values()) addCustomer(this.sums, [reached], people)
    this.singleReach.clear()
    return { daily: this.sums.daily.list(), ads: this.sums.ads.list(), first: this.sums.first.list() }
  }
}

/** Most people are new and were reached once: equal ones are counted first and added together. */
function countSingleReach(
  singleReach: Map<string, { reached: Reached; people: number }>,
  reached: Reached,
): void {
  const key = reached.join('\0')
  const entry = singleReach.get(key)
  if (entry === undefined) singleReach.set(key, { reached, people: 1 })
  else entry.people += 1
}

class Sums {
  private readonly byKey = new Map<string, ReachDelta>()
  add(delta: ReachDelta): void {
    // NUL is a safe separator: input validation rejects it.
    const key = `${delta.channel}\0${delta.day}\0${delta.adExternalId}\0${delta.origin}\0${delta.previousDay}\0${delta.firstOrigin}`
    const sum = this.byKey.get(key)
    if (sum === undefined) {
      this.byKey.set(key, delta)
      return
    }
    sum.people += delta.people
    sum.touches += delta.touches
  }
  list(): ReachDelta[] {
    return [...this.byKey.values()].filter((delta) => delta.people !== 0 || delta.touches !== 0)
  }
}

function addCustomer(
  sums: { daily: Sums; ads: Sums; first: Sums },
  reached: readonly Reached[],
  times: number,
): void {
  const channels = new Set<string>([ALL, ...reached.map((entry) => entry[2])])
  const origins = new Set<string>([ALL, ...reached.map((entry) => entry[3])])
  for (const channel of channels) {
    const inChannel = channel === ALL ? reached : reached.filter((entry) => entry[2] === channel)
    for (const origin of origins) {
      const chain = origin === ALL ? inChannel : inChannel.filter((entry) => entry[3] === origin)
      for (const { day, previousDay, entries } of daysOf(chain)) {
        const [, firstAd, , firstOrigin] = entries[0]!
        const common = { channel, day, previousDay, people: times, touches: times * touchesOf(entries) }
        sums.daily.add({ ...common, adExternalId: '', origin, firstOrigin })
        if (origin === ALL)
          sums.first.add({
            ...common,
            adExternalId: firstAd,
            origin: firstOrigin,
            firstOrigin: '',
            touches: 0,
          })
      }
      for (const [ad, adEntries] of Map.groupBy(chain, (entry) => entry[1]))
        for (const { day, previousDay, entries } of daysOf(adEntries))
          sums.ads.add({
            channel,
            day,
            adExternalId: ad,
            origin,
            previousDay,
            firstOrigin: '',
            people: times,
            touches: times * touchesOf(entries),
          })
    }
  }
}

function daysOf(entries: readonly Reached[]) {
  const byDay = Map.groupBy(entries, (entry) => entry[0])
  const days = [...byDay.keys()].sort()
  return days.map((day, index) => ({
    day,
    previousDay: days[index - 1] ?? NEVER,
    entries: byDay.get(day)!,
  }))
}

function touchesOf(entries: readonly Reached[]): number {
  return entries.reduce((sum, entry) => sum + entry[4], 0)
}
