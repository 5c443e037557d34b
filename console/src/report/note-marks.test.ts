import { expect, it } from 'vitest'
import { toMarks } from './note-marks.ts'

const notes = [
  { day: '2026-05-02', text: 'Sale' },
  { day: '2026-05-07', text: 'New page' },
  { day: '2026-06-01', text: 'Later' },
]
const point = (label: string, from?: string, to = from) => ({
  label,
  title: label,
  values: {},
  ...(from && to ? { days: { from, to } } : {}),
})

it('a note is placed at the point that contains its day; notes outside are left out', () => {
  const days = [point('May 2', '2026-05-02'), point('May 3', '2026-05-03'), point('May 7', '2026-05-07')]
  expect(toMarks(notes, days)).toEqual([
    { label: 'May 2', text: 'Sale' },
    { label: 'May 7', text: 'New page' },
  ])
  expect(toMarks(notes, [point('May 1', '2026-05-01', '2026-05-07')])).toEqual([
    { label: 'May 1', text: 'Sale · New page' },
  ])
  expect(toMarks(notes, [point('10:00')])).toEqual([])
})
