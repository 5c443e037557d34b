import { DAY_MS } from '../../../platform/contract/dates.ts'
import { warningsOf } from '../../facts/events/name-rules.ts'
import type { NamedEvents, Quality } from './queries.ts'

export type Finding = { code: string; message: string }

/** Problems that a person should look into, derived from recent counts. */
export function findingsOf(
  quality: Quality,
  names: readonly Finding[],
  now: Date,
): { status: 'healthy' | 'attention' | 'silent'; findings: Finding[] } {
  if (quality.events === 0 || quality.last_event_at === null)
    return {
      status: 'silent',
      findings: [
        {
          code: 'no_events',
          message: 'No event in seven days: install the snippet, then start an install check.',
        },
        ...names,
      ],
    }
  const findings: Finding[] = [...names]
  const add = (when: boolean, code: string, message: string) => {
    if (when) findings.push({ code, message })
  }
  add(now.getTime() - quality.last_event_at.getTime() > DAY_MS, 'quiet', 'No event in the last 24 hours.')
  add(
    quality.bots > quality.events / 5,
    'many_bots',
    'More than a fifth of the events came from automated visitors.',
  )
  add(
    quality.identified === 0,
    'nobody_identified',
    'No visitor was identified: call whence("identify") or turn on form tracking.',
  )
  add(
    quality.with_click_id > 10 && quality.with_ad < quality.with_click_id / 2,
    'clicks_without_ad',
    'Most paid clicks have no ad id: add ad_id, adset_id and campaign_id to the ads’ URL parameters.',
  )
  return { status: findings.length === 0 ? 'healthy' : 'attention', findings }
}

const MAX_NAMES = 5

/** Event names that no goal counts although they have an amount or resemble a name that a goal counts. */
export function nameFindings(
  uncounted: readonly NamedEvents[],
  goals: Parameters<typeof warningsOf>[1],
): Finding[] {
  return uncounted
    .flatMap(({ name, events, with_money }) =>
      warningsOf({ name, hasMoney: with_money > 0 }, goals).map(({ code, message }) => ({
        code: `${code}:${name}`,
        message: `${events} ${events === 1 ? 'event' : 'events'} in seven days. ${message}`,
      })),
    )
    .slice(0, MAX_NAMES)
}

/** Whether a platform's clicks carry ad ids. With the template in place, nearly all do. */
export function arrivalState(
  clicks: number,
  withAdId: number,
): 'waiting' | 'missing' | 'partial' | 'arriving' {
  if (clicks === 0) return 'waiting'
  if (withAdId === 0) return 'missing'
  return withAdId * 10 >= clicks * 9 ? 'arriving' : 'partial'
}
