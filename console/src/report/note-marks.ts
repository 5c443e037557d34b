import type { Mark, Point } from '../charts/series.ts'

type Note = { day: string; text: string }

/** Places notes at the point that contains their day; several notes of one point become one mark. */
export function toMarks(notes: readonly Note[], points: readonly Point[]): Mark[] {
  return points.flatMap(({ label, days }) => {
    if (!days) return []
    const notesOfPoint = notes.filter(({ day }) => day >= days.from && day <= days.to)
    return notesOfPoint.length === 0
      ? []
      : [{ label, text: notesOfPoint.map(({ text }) => text).join(' · ') }]
  })
}
