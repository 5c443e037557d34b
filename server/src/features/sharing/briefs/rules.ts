/** Writes a brief: at most five sentences about what changed, by fixed rules from the reports' figures. Pure. */
import type { z } from 'zod'
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import { platformNames } from '../../../platform/contract/platform-names.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import type { GoalTarget } from '../../corrections/goals/contract.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import type { ReportFacts } from '../client-reports/facts.ts'
import { createFormatters } from '../client-reports/figures-rules.ts'
import type { Days } from '../client-reports/period-rules.ts'
import type { Language } from '../client-reports/words.ts'
import { type BriefSentence, MAX_SENTENCES } from './contract.ts'
import { type Contribution, findMainContribution } from './contribution-rules.ts'
import { briefWords } from './words.ts'

export type Sentence = z.output<typeof BriefSentence>
type Part = Sentence['parts'][number]
type Link = NonNullable<Part['link']>

export type BriefFacts = {
  report: ReportFacts
  workspaceId: string
  profileId: string
  contributions: readonly Contribution[] | null
  /** Problems found by the doctor; `valueMinor` is the largest amount that a single one affects. */
  problems: { count: number; valueMinor: number | null }
  /** Pacing of the platform that is furthest from its budget. */
  pacing: { provider: string; percent: number; month: string } | null
  /** The goal furthest behind its target; if none is behind, the goal furthest ahead. */
  goal: { name: string; target: GoalTarget } | null
  /** How the figures of the preceding period changed after its days were closed. */
  restated: { valueMinor: number; spendMinor: number } | null
  /** Whether the profile often shows changes of this size: they are neither good nor bad news. */
  usual: { revenue: boolean; roas: boolean }
}

/** Sentences in order of importance, truncated to the maximum. */
export function writeSentences(facts: BriefFacts, language: Language): Sentence[] {
  const brief = createWriter(facts, language)
  return [
    brief.stale(),
    brief.revenue(),
    brief.mover(),
    brief.spend(),
    brief.problems(),
    brief.goal(),
    brief.pacing(),
    brief.restated(),
  ]
    .filter((sentence) => sentence !== null)
    .slice(0, MAX_SENTENCES)
}

/** The preceding period of the same length, which the console compares with too. */
export function precedingDays({ from, to }: Days): Days {
  return { from: addDays(from, dayNumber(from) - dayNumber(to) - 1), to: addDays(from, -1) }
}

/** The requested range; the preceding period must be a valid range too. */
export function parseBriefDays(query: Parameters<typeof readRange>[0]): Days | Refusal {
  const range = readRange(query)
  if (range instanceof Refusal) return range
  const before = precedingDays(range)
  const earlier = readRange({ date_from: before.from, date_to: before.to })
  return earlier instanceof Refusal ? earlier : range
}

function createWriter(facts: BriefFacts, language: Language) {
  const { report, contributions } = facts
  const { now, before, model } = report
  const texts = briefWords[language]
  const { money, amount, ratio, percent, change, day, days, count } = createFormatters(
    language,
    report.profile.currency,
  )
  const signed = (minor: number) => `${minor > 0 ? '+' : ''}${money(minor)}`

  const rangeOf = ({ from, to }: Days) => `date_from=${from}&date_to=${to}&model=${model}`
  const linkTo = (page: Link['page'], api: string, range: Days | null, campaignId: string | null = null) => ({
    page,
    campaign_id: campaignId,
    date_from: range?.from ?? null,
    date_to: range?.to ?? null,
    api,
  })
  const overview = linkTo('overview', `/reports/overview?${rangeOf(now.days)}`, now.days)
  const overviewBefore = linkTo('overview', `/reports/overview?${rangeOf(before.days)}`, before.days)
  const linkOf = ({ campaignId }: Contribution) =>
    campaignId === null
      ? linkTo('unattributed', `/campaigns/unattributed?${rangeOf(now.days)}`, now.days)
      : linkTo('campaigns', `/campaigns/${campaignId}?${rangeOf(now.days)}`, now.days, campaignId)
  const nameOf = ({ name }: Contribution) =>
    name === null ? texts.unattributed : texts.quoted(withoutPersonalValues(name))
  const length = dayNumber(now.days.to) - dayNumber(now.days.from) + 1

  return {
    stale(): Sentence | null {
      if (!report.isStale) return null
      const sources = report.staleSources.map(withoutPersonalValues).join(', ')
      if (sources === '') return sentence('stale', 'bad', texts.counting, {})
      return sentence('stale', 'bad', texts.stale, {
        sources: [sources, linkTo('connections', '/connections', null)],
      })
    },

    revenue(): Sentence | null {
      const [after, earlier] = [now.totals.revenue, before.totals.revenue]
      if (now.totals.spend === 0 && now.totals.payments === 0 && after === 0 && earlier === 0)
        return sentence('empty', 'neutral', texts.empty, {})
      if (after === null || earlier === null) {
        const text = texts.unrated(report.reconciliation.leftOut)
        if (report.reconciliation.leftOut === 0) return null
        return sentence('revenue', 'bad', texts.revenueUnrated, { count: [text, overview] })
      }
      const current: Filler = [money(after), overview]
      if (after === earlier) return sentence('revenue', 'neutral', texts.revenueSame, { now: current })
      const tone = facts.usual.revenue ? 'neutral' : after > earlier ? 'good' : 'bad'
      if (earlier === 0) {
        const template = length === 1 ? texts.revenueNewDay : texts.revenueNew
        return sentence('revenue', tone, template, { now: current, days: [count(length), null] })
      }
      const template = after > earlier ? texts.revenueUp : texts.revenueDown
      return sentence('revenue', tone, facts.usual.revenue ? `${template}${texts.usual}` : template, {
        by: [money(Math.abs(after - earlier)), overviewBefore],
        percent: [change(after, earlier)!.text, null],
        now: current,
      })
    },

    mover(): Sentence | null {
      if (contributions === null) return sentence('mover', 'neutral', texts.noBreakdown, {})
      const main = findMainContribution(contributions)
      if (main === null) return null
      const { top } = main
      const fillers = { name: [nameOf(top), linkOf(top)], by: [signed(top.change), null] } satisfies FillerMap
      if (main.wording === 'both')
        return sentence('mover', 'neutral', texts.both, {
          ...fillers,
          other: [nameOf(main.bottom), linkOf(main.bottom)],
          otherBy: [signed(main.bottom.change), null],
        })
      const now: Filler = [money(top.now), linkOf(top)]
      const tone = facts.usual.revenue ? 'neutral' : top.change > 0 ? 'good' : 'bad'
      return sentence('mover', tone, texts[main.wording], { ...fillers, now })
    },

    spend(): Sentence | null {
      const [after, earlier] = [now.totals.spend, before.totals.spend]
      if (after === null || earlier === null || (after === 0 && earlier === 0)) return null
      const template = after === earlier ? texts.spendSame : after > earlier ? texts.spendUp : texts.spendDown
      const fillers: FillerMap = {
        by: [money(Math.abs(after - earlier)), overviewBefore],
        now: [money(after), overview],
      }
      const [roas, roasBefore] = [now.totals.roas, before.totals.roas]
      if (roas === null || roasBefore === null) return sentence('spend', 'neutral', `${template}.`, fillers)
      const isSame = ratio(roas) === ratio(roasBefore)
      const ending = isSame ? texts.roasSame : roas > roasBefore ? texts.roasUp : texts.roasDown
      const tone = isSame || facts.usual.roas ? 'neutral' : roas > roasBefore ? 'good' : 'bad'
      return sentence('spend', tone, `${template}${texts.and}${ending}.`, {
        ...fillers,
        roas: [ratio(roas), overview],
        roasBefore: [ratio(roasBefore), overviewBefore],
      })
    },

    problems(): Sentence | null {
      const { count: problemCount, valueMinor } = facts.problems
      if (problemCount === 0) return null
      const link = linkTo('data-health', '/quality/doctor', null)
      const template = valueMinor === null ? texts.problem : texts.problemOfMoney
      return sentence('data_problem', 'bad', template, {
        count: [texts.problems(problemCount), link],
        value: [money(valueMinor), link],
      })
    },

    goal(): Sentence | null {
      if (facts.goal === null) return null
      const { name, target } = facts.goal
      const { metric, period, actual, expected, status } = target
      if (actual === null || expected === null || target.through === null) return null
      const textOf = (value: number) =>
        metric === 'count' ? count(value) : metric === 'roas' ? ratio(value) : amount(value)
      const isRate = metric === 'cac' || metric === 'roas'
      const template = isRate ? texts.goalRate[metric][period] : texts.goal[period]
      return sentence('goal', status === 'behind' ? 'bad' : 'good', template, {
        name: [texts.quoted(withoutPersonalValues(name)), null],
        actual: [textOf(actual), linkTo('goals', '/goals', null)],
        target: [textOf(target.target), null],
        expected: [textOf(expected), null],
        day: [day(target.through), null],
      })
    },

    pacing(): Sentence | null {
      if (facts.pacing === null) return null
      const { provider, month } = facts.pacing
      const api = `/workspaces/${facts.workspaceId}/pacing?month=${month}&profile_ids=${facts.profileId}`
      const monthName = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
      return sentence('pacing', 'bad', texts.pacing, {
        platform: [platformNames[provider] ?? provider, null],
        percent: [percent(Math.round(facts.pacing.percent)), linkTo('pacing', api, null)],
        month: [monthName.format(new Date(`${month}-01T00:00:00Z`)), null],
      })
    },

    restated(): Sentence | null {
      if (facts.restated === null) return null
      const { valueMinor, spendMinor } = facts.restated
      const changes = [
        valueMinor === 0 ? '' : texts.revenueBy(signed(valueMinor)),
        spendMinor === 0 ? '' : texts.spendBy(signed(spendMinor)),
      ].filter((text) => text !== '')
      if (changes.length === 0) return null
      const link = linkTo('overview', `/reports/changes?${rangeOf(before.days)}`, before.days)
      return sentence('restated', 'neutral', texts.restated, {
        days: [days(before.days), null],
        changes: [changes.join(', '), link],
      })
    },
  }
}

type Filler = [text: string, link: Link | null]
type FillerMap = Record<string, Filler>

/** Fills the template; adjacent parts without a link are joined. */
function sentence(
  kind: Sentence['kind'],
  tone: Sentence['tone'],
  template: string,
  fillers: FillerMap,
): Sentence {
  const parts: Part[] = []
  for (const [index, piece] of template.split(/\{(\w+)\}/).entries()) {
    const [text, link] = index % 2 === 0 ? [piece, null] : fillers[piece]!
    const last = parts.at(-1)
    if (link === null && last?.link === null) last.text += text
    else if (text !== '') parts.push({ text, link })
  }
  return { kind, tone, text: parts.map((part) => part.text).join(''), parts }
}
