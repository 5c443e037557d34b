/** Builds the message of one evaluation: fired alerts first, then recovered ones. Figures link to their reports. */
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import type { Metric } from '../../figures/daily-sums/rules.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import type { Line, Message } from '../briefs/messages.ts'
import type { DeliveryRow } from '../briefs/queries.ts'
import { createFormatters } from '../client-reports/figures-rules.ts'
import type { Language } from '../client-reports/words.ts'
import { type EventRow, findCampaignNames, listBatch } from './queries.ts'
import { toThreshold } from './units-rules.ts'
import { alertWords } from './words.ts'

const MAX_LINES = 20

/** Null if the log entries were deleted since. */
export async function composeAlerts(
  { service, profile }: ReportContext,
  delivery: Pick<DeliveryRow, 'occasion'>,
  language: Language,
): Promise<Message | null> {
  const { db } = await service.nodes.shardOf(profile.id)
  const batchId = delivery.occasion.slice('alerts '.length)
  const events = await listBatch(db, { profileId: profile.id, batchId })
  if (events.length === 0) return null
  const ids = events.flatMap(({ rule }) => (rule.campaign_id === null ? [] : [rule.campaign_id]))
  const names = await findCampaignNames(db, { profileId: profile.id, ids })
  const texts = alertWords[language]
  const fired = events.filter(({ kind }) => kind === 'fired').length
  const last = events.map(({ day }) => day).reduce((a, b) => (a > b ? a : b))
  const base = `${service.config.BASE_URL}/p/${profile.id}`
  const shownEvents = events.slice(0, MAX_LINES)
  return {
    title: texts.title(profile.name, fired, events.length - fired),
    note: texts.note(createFormatters(language, profile.currency).day(last)),
    lines: shownEvents.map((event) => toLine(event, { names, base, language, currency: profile.currency })),
    tones: shownEvents.map(({ kind }) => (kind === 'fired' ? 'bad' : 'good')),
  }
}

type LineContext = { names: ReadonlyMap<string, string>; base: string; language: Language; currency: string }

/** Pure. */
export function toLine(
  { kind, rule, figure }: EventRow,
  { names, base, language, currency }: LineContext,
): Line {
  const texts = alertWords[language]
  const { money, ratio, count, percent, day } = createFormatters(language, currency)
  const name = withoutPersonalValues(rule.name)
  if (rule.kind === 'finding')
    return fill(kind === 'fired' ? texts.findingFired : texts.findingRecovered, {
      name,
      figure: { text: texts.findings(figure.checkIds.length), url: `${base}/data-health` },
    })
  const { metric, comparison, direction, threshold, windowDays } = toThreshold(rule)
  const textOf = (value: number | null) => (value === null ? texts.noPayments : formats[metric](value))
  const formats: Record<Metric, (value: number) => string> = {
    spend: money,
    revenue: money,
    cac: money,
    roas: (value) => ratio(value / 1000),
    conversions: count,
  }
  const changeText = (change: number) => `${change > 0 ? '+' : ''}${percent(Math.round(change / 10))}`
  const campaign = rule.campaign_id === null ? undefined : names.get(rule.campaign_id)
  const search = new URLSearchParams({ from: figure.from, to: figure.to, model: 'last_touch' })
  if (rule.campaign_id !== null) search.set('campaign', rule.campaign_id)
  const page = rule.campaign_id === null ? 'overview' : 'campaigns'
  const period = texts.period[windowDays as 1].replace('{day}', day(figure.to))
  const ending =
    comparison === 'change'
      ? fillText(texts.change, {
          change: figure.change === null ? '' : changeText(figure.change),
          before: texts.before[windowDays as 1],
          earlier: textOf(figure.before),
        })
      : kind === 'fired'
        ? fillText(texts.limit[direction], { limit: textOf(threshold) })
        : ''
  const evidence =
    metric === 'spend' || metric === 'conversions' ? '' : texts.evidence(count(figure.conversions))
  const label = texts.metrics[metric]
  return [
    ...fill(texts[kind as 'fired' | 'recovered'], {
      name,
      metric: campaign === undefined ? label : texts.of(label, withoutPersonalValues(campaign)),
      period,
      figure: { text: textOf(figure.value), url: `${base}/${page}?${search}` },
    }),
    { text: `${ending}${evidence}.`, url: null },
  ]
}

type Part = { text: string; url: string | null }

function fill(template: string, fillers: Record<string, string | Part>): Part[] {
  return template.split(/\{(\w+)\}/).flatMap((piece, index) => {
    const filler = index % 2 === 0 ? piece : fillers[piece]!
    if (filler === '') return []
    return [typeof filler === 'string' ? { text: filler, url: null } : filler]
  })
}

function fillText(template: string, fillers: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => fillers[name]!)
}
