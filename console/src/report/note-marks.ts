import type { Mark, Point } from '../charts/series.ts'

type Note = { day: string; text: string }

/** At the point that holds the day; several notes of one point are one mark. */
export function toMarks(notes: readonly Note[], points: readonly Point[]): Mark[] {
  return points.flatMap(({ label, days }) => {
    if (!days) return []
    const held = notes.filter(({ day }) => day >= days.from && day <= days.to)
    return held.length === 0 ? [] : [{ label, text: held.map(({ text }) => text).join(' · ') }]
  })
}
