import type { LeadRecord, OutcomeRecord, SyncWindow } from '../../connectors/connector.ts'
import { emptyPerson } from '../../connectors/person.ts'
import { addDays } from '../../contract/dates.ts'
import { isTimeZone, localDay } from '../../contract/zones.ts'

/** What a first sync reads. */
export const HISTORY_DAYS = 365
/** Platforms restate recent days, so each later sync reads them again. */
export const RESTATED_DAYS = 7
export const RESYNC_AFTER_MS = 6 * 3_600_000

export function syncWindow(args: {
  asked: string | null
  lastSuccessAt: Date | null
  /** The account's own, where the provider said it. */
  timezone: string | null
  now: Date
}): SyncWindow {
  const zone = args.timezone !== null && isTimeZone(args.timezone) ? args.timezone : 'UTC'
  const untilDay = localDay(args.now, zone)
  const sinceDay =
    args.asked ??
    (args.lastSuccessAt === null
      ? addDays(untilDay, -HISTORY_DAYS)
      : addDays(localDay(args.lastSuccessAt, zone), -RESTATED_DAYS))
  return { sinceDay: sinceDay < untilDay ? sinceDay : untilDay, untilDay }
}

/** An instant-form lead is also an outcome of the person who filled it in, who came by the ad it names. */
export function toLeadOutcome(lead: LeadRecord): OutcomeRecord {
  const answer = (pattern: RegExp) =>
    lead.fieldData.find(({ name }) => pattern.test(name))?.values.find((value) => value.trim() !== '') ?? null
  const [first, ...rest] =
    answer(/^full_?name$/i)
      ?.trim()
      .split(/\s+/) ?? []
  return {
    type: 'outcome',
    externalId: lead.leadgenId,
    outcomeType: 'lead_created',
    occurredAt: lead.occurredAt,
    value: null,
    stageId: null,
    retracted: false,
    person: {
      ...emptyPerson(),
      email: answer(/e-?mail/i),
      phone: answer(/phone|whatsapp/i)?.replace(/^p:/, '') ?? null,
      firstName: answer(/^first_?name$/i) ?? first ?? null,
      lastName: answer(/^last_?name$/i) ?? (rest.length === 0 ? null : rest.join(' ')),
      ad: { adId: lead.adId, adSetId: null, campaignId: lead.campaignId },
    },
  }
}
