import { addDays, dayNumber } from '@whence/server/contract/dates.ts'
import type { Mark } from '../charts/series.ts'
import { dayText } from '../format/times.ts'

type Note = { day: string; text: string }

/** At the label of the point that holds the day; several notes of one point are one mark. */
export function toMarks(notes: readonly Note[], range: { from: string; to: string }, days: number): Mark[] {
  const marks = new Map<string, string>()
  for (const { day, text } of notes) {
    if (day < range.from || day > range.to) continue
    const place = dayNumber(day) - dayNumber(range.from)
    const label = dayText(addDays(range.from, place - (place % days)))
    const known = marks.get(label)
    marks.set(label, known === undefined ? text : `${known} · ${text}`)
  }
  return [...marks].map(([label, text]) => ({ label, text }))
}
