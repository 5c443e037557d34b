/** Composes the text of a delivery when it is sent; a retry after a crash composes it from the figures of that moment. */
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { createFormatters } from '../client-reports/figures-rules.ts'
import type { Language } from '../client-reports/words.ts'
import type { Message } from './messages.ts'
import { getBrief } from './operations.ts'
import type { DeliveryRow } from './queries.ts'
import type { Sentence } from './rules.ts'
import { briefWords } from './words.ts'

const model = 'last_touch'

/** Null if the brief has nothing to report. */
export async function composeBrief(
  context: ReportContext,
  delivery: Pick<DeliveryRow, 'date_from' | 'date_to'>,
  language: Language,
): Promise<Message | null> {
  const { service, profile } = context
  const days = { from: String(delivery.date_from), to: String(delivery.date_to) }
  const { data } = await getBrief(context, { days, model, language, withPacing: true })
  if (data.sentences.every(({ kind }) => kind === 'empty')) return null
  const { days: rangeText, day } = createFormatters(language, profile.currency)
  const textOf = (range: { from: string; to: string }) =>
    range.from === range.to ? day(range.from) : rangeText(range)
  const previous = { from: data.previous.date_from, to: data.previous.date_to }
  const texts = briefWords[language]
  return {
    title: texts.title(profile.name, textOf(days)),
    note: texts.comparedWith(textOf(previous)),
    lines: data.sentences.map(({ parts }) =>
      parts.map(({ text, link }) => ({
        text,
        url: link === null ? null : urlOf(service.config.BASE_URL, profile.id, link),
      })),
    ),
    tones: data.sentences.map(({ tone }) => tone),
  }
}

type Link = NonNullable<Sentence['parts'][number]['link']>

function urlOf(baseUrl: string, profileId: string, { page, campaign_id, date_from, date_to }: Link): string {
  const search = new URLSearchParams()
  if (date_from !== null && date_to !== null) {
    search.set('from', date_from)
    search.set('to', date_to)
    search.set('model', model)
  }
  if (campaign_id !== null) search.set('campaign', campaign_id)
  const query = search.toString()
  return `${baseUrl}/p/${profileId}/${page}${query === '' ? '' : `?${query}`}`
}
