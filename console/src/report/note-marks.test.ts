import { expect, it } from 'vitest'
import { toMarks } from './note-marks.ts'

const range = { from: '2026-05-01', to: '2026-05-31' }
const notes = [
  { day: '2026-05-02', text: 'Sale' },
  { day: '2026-05-07', text: 'New page' },
  { day: '2026-06-01', text: 'Later' },
]

it('stands at the day, or at the week that holds it; what lies outside is left out', () => {
  expect(toMarks(notes, range, 1)).toEqual([
    { label: 'May 2', text: 'Sale' },
    { label: 'May 7', text: 'New page' },
  ])
  expect(toMarks(notes, range, 7)).toEqual([{ label: 'May 1', text: 'Sale · New page' }])
})
