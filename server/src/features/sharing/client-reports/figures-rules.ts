/** Locale-aware formatting of figures, and the texts built from them. Pure. */
import { toDecimalString } from '../../../platform/contract/money.ts'
import type { CampaignLine, ReportFacts, Totals } from './facts.ts'
import type { Days } from './period-rules.ts'
import { type Language, reportTexts } from './words.ts'

const UNKNOWN = '–'
const MAX_PERCENT = 999
const locales: Record<Language, string> = { en: 'en-GB', es: 'es-ES' }

export function createFormatters(language: Language, currency: string) {
  const locale = locales[language]
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u2212', '-')
  const numbers = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, { useGrouping: 'always', ...options })
    return (value: number | string) => plain(format.format(value as number))
  }
  const inCurrency = numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const integer = numbers({ maximumFractionDigits: 0 })
  const twoDecimals = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
  // English writes 12.5%, Spanish 12,5 %.
  const inPercent = (digits: number) =>
    numbers({ style: 'unit', unit: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits })
  const [percent, oneDecimalPercent] = [inPercent(0), inPercent(1)]
  const dayFormat = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const shortFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const asDate = (day: string) => new Date(`${day}T00:00:00Z`)
  const day = (date: string) => plain(dayFormat.format(asDate(date)))
  return {
    /** Formats the exact decimal string, without conversion to a float. */
    money: (minor: number | null) =>
      minor === null ? UNKNOWN : inCurrency(toDecimalString(minor, currency)),
    amount: (value: number | null) => (value === null ? UNKNOWN : inCurrency(value)),
    count: (value: number | null) => (value === null ? UNKNOWN : integer(value)),
    ratio: (value: number | null) => (value === null ? UNKNOWN : `${twoDecimals(value)}×`),
    percent,
    share: (part: number | null, all: number | null) =>
      part === null || !all ? UNKNOWN : oneDecimalPercent((part / all) * 100),
    day,
    shortDay: (date: string) => plain(shortFormat.format(asDate(date))),
    days: ({ from, to }: Days) => `${day(from)} – ${day(to)}`,
    /** The relative change; null if either value is unknown. */
    change(now: number | null, before: number | null): { text: string; direction: -1 | 0 | 1 } | null {
      const texts = reportTexts[language]
      if (now === null || before === null) return null
      if (now === before) return { text: texts.noChange, direction: 0 }
      const direction = now > before ? 1 : -1
      if (before === 0) return { text: texts.isNew, direction }
      const size = Math.abs(((now - before) / Math.abs(before)) * 100)
      const [sign, bound] = direction === 1 ? ['+', '>'] : ['-', '<']
      return {
        text:
          size > MAX_PERCENT ? `${bound}${sign}${percent(MAX_PERCENT)}` : `${sign}${oneDecimalPercent(size)}`,
        direction,
      }
    },
  }
}

export type Tile = {
  label: string
  value: string
  change: string | null
  /** Null if neither direction is better. */
  isGood: boolean | null
  before: string
}

/** The headline figures, most important first. */
export function buildTiles(facts: ReportFacts, language: Language): Tile[] {
  const figures = createFormatters(language, facts.profile.currency)
  const texts = reportTexts[language]
  const tile = (
    name: Exclude<keyof Totals, 'creditedPayments'>,
    format: (value: number | null) => string,
    better: 'more' | 'less' | 'neither',
  ): Tile => {
    const [now, before] = [facts.now.totals[name], facts.before.totals[name]]
    const change = figures.change(now, before)
    return {
      label: texts[name],
      value: format(now),
      change: change?.text ?? null,
      isGood:
        change === null || change.direction === 0 || better === 'neither'
          ? null
          : change.direction === (better === 'more' ? 1 : -1),
      before: texts.before(format(before)),
    }
  }
  return [
    tile('revenue', figures.money, 'more'),
    tile('spend', figures.money, 'neither'),
    tile('totalRoas', figures.ratio, 'more'),
    tile('credited', figures.money, 'more'),
    tile('roas', figures.ratio, 'more'),
    tile('payments', figures.count, 'more'),
    tile('cac', figures.amount, 'less'),
  ]
}

/** Sentences about the largest changes, by fixed rules over the same figures. They claim no cause. */
export function describeChanges(facts: ReportFacts, language: Language): string[] {
  const { now, before } = facts
  const texts = reportTexts[language]
  const { money, ratio, change } = createFormatters(language, facts.profile.currency)
  const lines: string[] = []
  const addChange = (
    name: 'revenue' | 'spend',
    up: (by: string, to: string) => string,
    down: (by: string, to: string) => string,
  ) => {
    const [after, earlier] = [now.totals[name], before.totals[name]]
    if (after === null || earlier === null || after === earlier) return
    const by = money(Math.abs(after - earlier))
    lines.push(after > earlier ? up(by, money(after)) : down(by, money(after)))
  }
  addChange('revenue', texts.revenueUp, texts.revenueDown)
  addChange('spend', texts.spendUp, texts.spendDown)
  const [roas, earlier] = [now.totals.roas, before.totals.roas]
  const credited = change(now.totals.credited, before.totals.credited)
  const spend = change(now.totals.spend, before.totals.spend)
  const isComplete = roas !== null && earlier !== null && credited !== null && spend !== null
  if (isComplete && ratio(roas) !== ratio(earlier)) {
    const sentence = roas > earlier ? texts.roasUp : texts.roasDown
    lines.push(sentence(ratio(earlier), ratio(roas), credited.text, spend.text))
  }
  const campaignDeltas = campaignChanges(facts)
  const best = campaignDeltas.toSorted((a, b) => b.by - a.by)[0]
  if (best !== undefined && best.by > 0)
    lines.push(texts.gained(best.line.name, money(best.by), money(best.line.credited)))
  const worst = campaignDeltas.toSorted((a, b) => a.by - b.by)[0]
  if (worst !== undefined && worst.by < 0)
    lines.push(texts.lost(worst.line.name, money(-worst.by), money(worst.line.credited)))
  const started = now.campaigns
    .filter(({ id, spend }) => (spend ?? 0) > 0 && !(spendBefore(facts, id) > 0))
    .toSorted((a, b) => b.spend! - a.spend!)[0]
  if (started !== undefined) lines.push(texts.started(started.name, money(started.spend)))
  const spentNow = new Map(now.campaigns.map(({ id, spend }) => [id, spend]))
  const stopped = before.campaigns
    .filter(({ id, spend }) => (spend ?? 0) > 0 && (spentNow.get(id) ?? 0) === 0)
    .toSorted((a, b) => b.spend! - a.spend!)[0]
  if (stopped !== undefined) lines.push(texts.stopped(stopped.name))
  return lines
}

function spendBefore({ before }: ReportFacts, id: string): number {
  return before.campaigns.find((line) => line.id === id)?.spend ?? 0
}

/** Change of credited revenue, for every campaign of either period. */
function campaignChanges({ now, before }: ReportFacts): { line: CampaignLine; by: number }[] {
  const earlier = new Map(before.campaigns.map((line) => [line.id, line]))
  const currentIds = new Set(now.campaigns.map(({ id }) => id))
  const endedCampaigns = before.campaigns
    .filter(({ id }) => !currentIds.has(id))
    .map((line) => ({ ...line, credited: 0 as number | null }))
  return [...now.campaigns, ...endedCampaigns].flatMap((line) => {
    const creditedBefore = earlier.has(line.id) ? earlier.get(line.id)!.credited : 0
    return line.credited === null || creditedBefore === null
      ? []
      : [{ line, by: line.credited - creditedBefore }]
  })
}

/** Change of the campaign's credited revenue, formatted. */
export function creditedChange(facts: ReportFacts, line: CampaignLine, language: Language) {
  const creditedBefore = facts.before.campaigns.find(({ id }) => id === line.id)?.credited ?? 0
  return createFormatters(language, facts.profile.currency).change(line.credited, creditedBefore)
}

/** All campaigns after the first `limit`, summed into one row; null if there are none. */
export function summarizeRemaining({ now }: ReportFacts, language: Language, limit: number) {
  const remaining = now.campaigns.slice(limit)
  if (remaining.length === 0) return null
  const sum = (name: 'spend' | 'credited') =>
    remaining.every((line) => line[name] !== null)
      ? remaining.reduce((total, line) => total + line[name]!, 0)
      : null
  return {
    label: reportTexts[language].moreCampaigns(remaining.length),
    spend: sum('spend'),
    credited: sum('credited'),
  }
}

/** The end of the campaign table: in each line ROAS is the money of the line over its spend. */
export function buildTableEnd({ now, reconciliation }: ReportFacts, language: Language, currency: string) {
  const texts = reportTexts[language]
  const { money, count, ratio, amount } = createFormatters(language, currency)
  const { totals } = now
  return {
    allCampaigns: [
      texts.allCampaigns,
      money(totals.spend),
      money(totals.credited),
      '',
      count(totals.creditedPayments),
      ratio(totals.roas),
      amount(totals.cac),
    ],
    unattributed: [texts.unattributed, '', money(reconciliation.unattributed), '', '', '', ''],
    total: [
      texts.total,
      money(totals.spend),
      money(totals.revenue),
      '',
      count(totals.payments),
      ratio(totals.totalRoas),
      '',
    ],
  }
}

/** Notes on how the parts add up and how to read the figures. */
export function buildNotes(facts: ReportFacts, language: Language, model: string) {
  const texts = reportTexts[language]
  const { money, day } = createFormatters(language, facts.profile.currency)
  const { total, credited, unattributed, delta, leftOut } = facts.reconciliation
  return {
    sum: [
      texts.addsUp(money(credited), money(unattributed), money(total)),
      ...(delta === 0 ? [] : [texts.differs(money(delta))]),
      ...(leftOut === 0 ? [] : [texts.leftOut(leftOut)]),
    ],
    reading: [
      texts.readRevenue,
      texts.readCredited(model),
      texts.readRoas,
      texts.readDays(facts.profile.timezone, day(facts.computedThrough.slice(0, 10))),
      ...(facts.staleSources.length === 0 ? [] : [texts.readStale(facts.staleSources.join(', '))]),
    ],
  }
}
