import { expect, it } from 'vitest'
import { addDays } from '../../platform/contract/dates.ts'
import { backupName, expiredBackups, timeOfBackup } from './keep.ts'

const keep = { days: 3, weeks: 2, months: 2 }
const at = (day: string, time = '02:30:00') => new Date(`${day}T${time}Z`)

it('a name is the time, and other files are no backups', () => {
  expect(backupName(at('2026-11-19'))).toBe('whence-20261119T023000Z.backup')
  expect(timeOfBackup('whence-20261119T023000Z.backup')).toEqual(at('2026-11-19'))
  const others = ['whence-20261119T023000Z.backup.partial', 'whence-20269919T023000Z.backup', 'notes.txt']
  expect(others.map(timeOfBackup)).toEqual([undefined, undefined, undefined])
})

it('keeps the newest of each day, week and month, whatever day it is', () => {
  // A Thursday; the weeks begin on 16 and 9 November.
  let names: string[] = []
  for (let day = '2026-08-01'; day <= '2026-11-19'; day = addDays(day, 1)) {
    names.push(backupName(at(day)), backupName(at(day, '14:30:00')))
    const expired = expiredBackups(names, keep, at(day, '15:00:00'))
    names = names.filter((name) => !expired.includes(name))
  }
  const days = ['2026-10-31', '2026-11-15', '2026-11-17', '2026-11-18', '2026-11-19']
  expect(names).toEqual(days.map((day) => backupName(at(day, '14:30:00'))))
})

it('never removes the newest backup, files of others, or backups of the future', () => {
  const old = [backupName(at('2020-01-01')), backupName(at('2020-01-02'))]
  const names = [...old, 'database.dump', backupName(at('2027-01-01'))]
  expect(expiredBackups(names, keep, at('2026-11-19'))).toEqual([old[0]])
})
