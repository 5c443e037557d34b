/**
 * Resolves each click to its ad. The platform returns one day per query and stores 90 days, so each day is a step;
 * an interrupted sync continues at the day it had reached.
 */
import { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import type { StepPage } from '../ad-account-steps.ts'
import { type AdClickRecord, ProviderError, type Session, type SyncWindow } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { mapItems } from '../set-aside.ts'
import { readStream } from './calls.ts'
import type { Row } from './mapping.ts'

const RETENTION_DAYS = 90

export type ClickStep = { kind: 'clicks'; day: string }

export function clickSteps(window: SyncWindow): ClickStep[] {
  const oldest = addDays(window.untilDay, 1 - RETENTION_DAYS)
  const days = listDays(window.sinceDay > oldest ? window.sinceDay : oldest, window.untilDay)
  return days.map((day) => ({ kind: 'clicks', day }))
}

export const clickFields = 'click_view.gclid, click_view.ad_group_ad, segments.date, campaign.id, ad_group.id'

export async function readClicks(session: Session, { day }: ClickStep): Promise<StepPage> {
  const query = `SELECT ${clickFields} FROM click_view WHERE segments.date = '${day}'`
  const rows = await readStream(session, session.accountId, query)
  return { ...mapItems('click', rows, (row) => toClicks(row, day)), after: null }
}

const ClickRow = z.looseObject({ clickView: z.looseObject({ gclid: text, adGroupAd: text }) })

/** Clicks of app campaigns have no id and cannot be resolved. */
function toClicks(row: Row, day: string): AdClickRecord[] {
  const click = ClickRow.safeParse(row).data?.clickView
  if (click === undefined) throw new ProviderError('malformed', 'A click row contains no click')
  if (click.gclid === null) return []
  return [
    {
      type: 'ad_click',
      externalId: click.gclid,
      clickIdKind: 'gclid',
      day,
      campaignExternalId: row.campaign?.id ?? null,
      adSetExternalId: row.adGroup?.id ?? null,
      adExternalId: adOf(click.adGroupAd),
    },
  ]
}

/** `customers/1/adGroupAds/2~3` is the ad 3 in the ad group 2. */
const adOf = (resourceName: string | null): string | null =>
  /\/adGroupAds\/\d+~(\d+)$/.exec(resourceName ?? '')?.[1] ?? null
