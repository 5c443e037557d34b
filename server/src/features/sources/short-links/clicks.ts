/**
 * Counts clicks after the visitor was redirected: one write at a time per process holds all clicks since the previous
 * one. Only those of the write under way are lost if the process is killed; none is counted twice.
 */
import type { Service } from '../../../context.ts'
import { addClicks, type ClickCode, type Tally } from './queries.ts'

type Click = {
  profileId: string
  linkId: string
  day: string
  isBot: boolean
  now: Date
  codeHash: Buffer | null
}
type Waiting = Map<string, { tallies: Map<string, Tally>; codes: ClickCode[] }>
type Counter = { waiting: Waiting; writing: Promise<void> | null }

/** More than this many profiles with unwritten clicks means that the database is away. */
const MAX_PROFILES = 10_000
const MAX_CODES = 10_000

const counters = new WeakMap<Service['ingest'], Counter>()

function counterOf(service: Service): Counter {
  const counter = counters.get(service.ingest) ?? { waiting: new Map(), writing: null }
  counters.set(service.ingest, counter)
  return counter
}

export function countClick(service: Service, click: Click): void {
  const counter = counterOf(service)
  const { profileId, linkId, day, now } = click
  if (!counter.waiting.has(profileId) && counter.waiting.size >= MAX_PROFILES) return
  const ofProfile = counter.waiting.get(profileId) ?? { tallies: new Map<string, Tally>(), codes: [] }
  counter.waiting.set(profileId, ofProfile)
  const key = `${linkId} ${day}`
  const tally = ofProfile.tallies.get(key) ?? { linkId, day, clicks: 0, bots: 0, lastAt: null }
  ofProfile.tallies.set(key, tally)
  if (click.isBot) tally.bots += 1
  else {
    tally.clicks += 1
    tally.lastAt = now
  }
  if (click.codeHash !== null && ofProfile.codes.length < MAX_CODES)
    ofProfile.codes.push({ codeHash: click.codeHash, shortLinkId: linkId, now })
  // In the next turn of the event loop, so that the response is sent first.
  counter.writing ??= new Promise<void>((resolve) => {
    setImmediate(() => void write(service, counter).finally(resolve))
  })
}

/** Resolves when all clicks so far are in the database. */
export async function clicksWritten(service: Service): Promise<void> {
  for (let counter = counterOf(service); counter.writing !== null; ) await counter.writing
}

async function write(service: Service, counter: Counter): Promise<void> {
  while (counter.waiting.size > 0) {
    const batch = counter.waiting
    counter.waiting = new Map()
    for (const [profileId, { tallies, codes }] of batch)
      try {
        const { db } = await service.nodes.of(profileId)
        await addClicks(db, { profileId, tallies: [...tallies.values()], codes })
      } catch (error) {
        service.log.warn('clicks on short links not counted', { profile_id: profileId, error })
      }
  }
  counter.writing = null
}
