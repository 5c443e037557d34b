/** Search Console: the sites that a person has access to, and search queries by day. */
import { z } from 'zod'
import { listDays } from '../../platform/contract/dates.ts'
import type { Connector, Session, SyncPage, SyncWindow } from '../connector.ts'
import { engineOAuth, engineRefusal } from '../engine-oauth.ts'
import { callJson } from '../provider-http.ts'
import { mapItems } from '../set-aside.ts'
import { QueryReply, SiteList, toAccounts, toSearchQuery } from './mapping.ts'

const oauth = engineOAuth('https://www.googleapis.com/auth/webmasters.readonly')

const rowLimit = 5000
const Cursor = z.object({ day: z.string(), startRow: z.number().int().min(0) })

/** One day per request: rows of a longer range are sorted by clicks and move between pages. */
async function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const days = listDays(window.sinceDay, window.untilDay)
  const at = cursor === null ? { day: window.sinceDay, startRow: 0 } : Cursor.parse(JSON.parse(cursor))
  const done = days.indexOf(at.day)
  const progress = (count: number) => ({ done: count, total: days.length, unit: 'days' })
  if (done < 0) return { records: [], cursor: null, progress: progress(days.length) }
  const { rows } = await callJson(session.http, {
    url: `${session.app.apiBaseUrl}/webmasters/v3/sites/${encodeURIComponent(session.accountId)}/searchAnalytics/query`,
    bearer: session.token.accessToken,
    json: {
      startDate: at.day,
      endDate: at.day,
      dimensions: ['query', 'page'],
      rowLimit,
      startRow: at.startRow,
      // Includes days that are not final yet; a later sync reads them again.
      dataState: 'all',
    },
    schema: QueryReply,
    refusal: engineRefusal,
  })
  const pageRows = rows ?? []
  const isFull = pageRows.length >= rowLimit
  const nextDay = days[done + 1]
  const next = isFull
    ? { day: at.day, startRow: at.startRow + pageRows.length }
    : nextDay === undefined
      ? null
      : { day: nextDay, startRow: 0 }
  const { records, setAside } = mapItems('search_query', pageRows, (row) => toSearchQuery(row, at.day))
  const list = 'search_query'
  return {
    records,
    setAside: setAside.map((row) => ({ ...row, list, day: at.day })),
    ...(at.startRow === 0 ? { rereads: { list, since: at.day, until: at.day } } : {}),
    cursor: next === null ? null : JSON.stringify(next),
    progress: progress(isFull ? done : done + 1),
  }
}

export const engineSearchConsole: Connector = {
  provider: 'engine_search_console',
  accountKind: 'property',
  exclusiveAccount: false,
  oauth,
  async listAccounts(http, app, token) {
    const url = `${app.apiBaseUrl}/webmasters/v3/sites`
    const list = await callJson(http, {
      url,
      bearer: token.accessToken,
      schema: SiteList,
      refusal: engineRefusal,
    })
    return toAccounts(list)
  },
  sync: { page: syncPage },
}
