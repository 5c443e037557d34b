/** Calendar events of the sandboxes' business, and actions of tests on them. */
import { addDays, DAY_MS, weekday } from './days.ts'
import { numberArg, textArg } from './routes.ts'
import { seededHex } from './seeded-random.ts'
import { sandboxPeople } from './world.ts'

export type BookedReply = 'accepted' | 'declined' | 'open'
export type BookedMeeting = {
  id: string
  calendarId: string
  title: string
  createdAt: Date
  updatedAt: Date
  start: Date
  end: Date
  /** Whole-day event: first day, and the day after the last. */
  days: { first: string; after: string } | null
  seriesId: string | null
  guests: { email: string; name: string | null; reply: BookedReply }[]
  isCancelled: boolean
  /** Number of the last change since the sandbox started; 0 for unchanged events of the world. */
  revision: number
}

export type SyncPoint = { generation: number; revision: number; at: number }

const HOUR_MS = 3_600_000

export class MeetingBook {
  readonly #options: { seed: string; now: () => Date; calendarId: string }
  readonly #added = new Map<string, BookedMeeting>()
  #revision = 0
  #generation = 0

  constructor(options: { seed: string; now: () => Date; calendarId: string }) {
    this.#options = options
  }

  /** All meetings, including cancelled ones, by start. */
  all(): BookedMeeting[] {
    const all = new Map(this.#world().map((meeting) => [meeting.id, meeting]))
    for (const [id, meeting] of this.#added) all.set(id, meeting)
    return [...all.values()].sort((a, b) => a.start.getTime() - b.start.getTime() || a.id.localeCompare(b.id))
  }

  find(id: string): BookedMeeting | undefined {
    return this.all().find((meeting) => meeting.id === id)
  }

  /** Position of a sync that has read everything up to now. */
  point(): SyncPoint {
    return { generation: this.#generation, revision: this.#revision, at: this.#options.now().getTime() }
  }

  isExpired(point: SyncPoint): boolean {
    return point.generation !== this.#generation
  }

  changedSince(point: SyncPoint): BookedMeeting[] {
    return this.all().filter(
      ({ revision, createdAt }) =>
        revision > point.revision || (revision === 0 && createdAt.getTime() > point.at),
    )
  }

  /** Null if the action is not a calendar action. */
  act(action: string, args: Record<string, unknown>): Record<string, unknown> | null {
    switch (action) {
      case 'book':
        return this.#book(args)
      case 'change_event':
        return this.#change(args)
      case 'expire_sync_tokens':
        this.#generation += 1
        return {}
      default:
        return null
    }
  }

  #book(args: Record<string, unknown>): Record<string, unknown> {
    const now = this.#options.now()
    const start = new Date(textArg(args, 'starts_at') ?? now.getTime() + DAY_MS)
    const minutes = numberArg(args, 'minutes') ?? 60
    const day = textArg(args, 'day')
    const email = textArg(args, 'email')
    const reply = (textArg(args, 'reply') ?? 'accepted') as BookedReply
    const weeks = numberArg(args, 'weeks') ?? 1
    const idPrefix = seededHex(20, this.#options.seed, 'booked', this.#revision)
    const ids = Array.from({ length: weeks }, (_, week) => {
      const begins =
        day === null ? new Date(start.getTime() + week * 7 * DAY_MS) : new Date(`${day}T00:00:00Z`)
      const id = weeks === 1 ? idPrefix : `${idPrefix}_${week}`
      this.#put({
        id,
        calendarId: textArg(args, 'calendar') ?? this.#options.calendarId,
        title: textArg(args, 'title') ?? 'Consultation',
        createdAt: new Date(textArg(args, 'created_at') ?? now),
        updatedAt: now,
        start: begins,
        end:
          day === null ? new Date(begins.getTime() + minutes * 60_000) : new Date(begins.getTime() + DAY_MS),
        days: day === null ? null : { first: day, after: addDays(day, 1) },
        seriesId: weeks === 1 ? null : idPrefix,
        guests: email === null ? [] : [{ email, name: textArg(args, 'name'), reply }],
        isCancelled: false,
        revision: 0,
      })
      return id
    })
    return { event_id: ids[0], event_ids: ids }
  }

  #change(args: Record<string, unknown>): Record<string, unknown> {
    const before = this.find(textArg(args, 'event_id') ?? '')
    if (before === undefined) throw new Error('The sandbox has no such event')
    const start = textArg(args, 'starts_at')
    const reply = textArg(args, 'reply') as BookedReply | null
    const begins = start === null ? before.start : new Date(start)
    this.#put({
      ...before,
      start: begins,
      end: new Date(begins.getTime() + before.end.getTime() - before.start.getTime()),
      updatedAt: this.#options.now(),
      guests:
        args.uninvite === true
          ? []
          : before.guests.map((guest) => ({ ...guest, reply: reply ?? guest.reply })),
      isCancelled: args.cancelled === true,
    })
    return { event_id: before.id }
  }

  #put(meeting: BookedMeeting): void {
    this.#revision += 1
    this.#added.set(meeting.id, { ...meeting, revision: this.#revision })
  }

  /** Consultations of the shared world at the times of the CRM, and a weekly hour without guests. */
  #world(): BookedMeeting[] {
    const { seed, now, calendarId } = this.#options
    const common = { calendarId, days: null, seriesId: null, isCancelled: false, revision: 0 }
    const consultations = sandboxPeople(seed, now()).flatMap((person): BookedMeeting[] => {
      const at = (stage: string) => person.stages.find((entry) => entry.stage === stage)?.at
      const booked = at('appointment_booked')
      const start = at('appointment_attended') ?? at('appointment_missed')
      if (booked === undefined || start === undefined) return []
      const name = `${person.firstName} ${person.lastName}`
      return [
        {
          ...common,
          id: seededHex(26, person.id, 'meeting'),
          title: `Consultation with ${name}`,
          createdAt: booked,
          updatedAt: booked,
          start,
          end: new Date(start.getTime() + HOUR_MS),
          guests: [{ email: person.email, name, reply: 'accepted' }],
        },
      ]
    })
    return [...consultations, ...this.#stocktakings(common)]
  }

  #stocktakings(
    common: Pick<BookedMeeting, 'calendarId' | 'days' | 'seriesId' | 'isCancelled' | 'revision'>,
  ): BookedMeeting[] {
    const today = this.#options.now().toISOString().slice(0, 10)
    const monday = addDays(today, -((weekday(today) + 6) % 7))
    return Array.from({ length: 8 }, (_, week) => {
      const day = addDays(monday, (week - 6) * 7)
      const start = new Date(`${day}T08:00:00Z`)
      return {
        ...common,
        id: seededHex(26, day, 'stocktaking'),
        title: 'Stocktaking',
        createdAt: new Date(start.getTime() - 30 * DAY_MS),
        updatedAt: new Date(start.getTime() - 30 * DAY_MS),
        start,
        end: new Date(start.getTime() + HOUR_MS),
        guests: [],
      }
    })
  }
}

/** Tokens are opaque to the caller. */
export const encodePoint = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function decodePoint<T>(token: string): T | null {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as T
  } catch {
    return null
  }
}
