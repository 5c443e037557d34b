/** A marketer at the console with the demo and an empty profile, and API access to both. */
import type { BrowserContext, Page } from 'playwright-core'
import { addDays } from '../../../server/src/platform/contract/dates.ts'
import { localDay } from '../../../server/src/platform/contract/zones.ts'

export type Desk = {
  page: Page
  context: BrowserContext
  workspaceId: string
  /** The demo, with data of everything. */
  demo: string
  /** A profile without data. */
  own: string
  /** Waits until all events and jobs are processed. */
  settled(): Promise<void>
}

/** Tasks by title. */
export type Tasks = Record<string, (desk: Desk) => Promise<void>>

type Reply = { data: never; meta: never }

/** The API's whole response to the signed-in person. */
export async function ask<T = Reply>(
  { page }: Desk,
  path: string,
  query: Record<string, string> = {},
): Promise<T> {
  const reply = await page.request.get(`/api/v1${path}`, { params: query })
  if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`)
  return (await reply.json()) as T
}

export async function list<T>(desk: Desk, path: string, query: Record<string, string> = {}): Promise<T[]> {
  return (await ask<{ data: T[] }>(desk, path, { profile_id: desk.demo, ...query })).data
}

/** Today in the demo's time zone, which may differ from this machine's. */
const DEMO_ZONE = 'America/New_York'

/** The default days of reports, as API parameters. */
export function lastDays(zone = DEMO_ZONE): { date_from: string; date_to: string } {
  const today = localDay(Date.now(), zone)
  return { date_from: addDays(today, -27), date_to: today }
}

export const yesterday = () => addDays(localDay(Date.now(), DEMO_ZONE), -1)
