/** A marketer at the console: the demo business and an empty one of their own, and what the API says of both. */
import type { BrowserContext, Page } from 'playwright-core'
import { addDays } from '../../../server/src/platform/contract/dates.ts'
import { localDay } from '../../../server/src/platform/contract/zones.ts'

export type Desk = {
  page: Page
  context: BrowserContext
  workspaceId: string
  /** The demo, with data of everything. */
  demo: string
  /** Nothing has happened in it. */
  own: string
  /** Once all that was sent or started has been worked through. */
  settled(): Promise<void>
}

/** The named steps of a person, each with the title of its task. */
export type Tasks = Record<string, (desk: Desk) => Promise<void>>

type Reply = { data: never; meta: never }

/** What the API answers to the person who is signed in, whole. */
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

/** Of the demo; its day is not the day of this machine all day long. */
const DEMO_ZONE = 'America/New_York'

/** The days that reports show by themselves, as the API takes them. */
export function lastDays(zone = DEMO_ZONE): { date_from: string; date_to: string } {
  const today = localDay(Date.now(), zone)
  return { date_from: addDays(today, -27), date_to: today }
}

export const yesterday = () => addDays(localDay(Date.now(), DEMO_ZONE), -1)
