import { expect, it } from 'vitest'
import { processCount } from './processes.ts'

const server = { SANDBOX: false, DATABASE_URL: 'postgres://db' } as const
const embedded = { SANDBOX: false, DATABASE_URL: undefined } as const

it('auto is one process per core, and half as many with a database on the same machine', () => {
  expect([1, 2, 8].map((cores) => processCount({ ...server, PROCESSES: 'auto' }, cores))).toEqual([1, 2, 8])
  expect([1, 2, 3, 8].map((cores) => processCount({ ...embedded, PROCESSES: 'auto' }, cores))).toEqual([
    1, 1, 1, 4,
  ])
  for (const url of [
    'postgres://localhost/whence',
    'postgres://whence:secret@127.0.0.1:5432/whence',
    'postgres://[::1]/whence',
    'postgres://%2Frun%2Fpostgresql/whence',
    'postgresql:///whence?host=/run/postgresql',
  ])
    expect(processCount({ ...server, DATABASE_URL: url, PROCESSES: 'auto' }, 8), url).toBe(4)
  expect(processCount({ ...server, DATABASE_URL: 'postgres://db.example/x', PROCESSES: 'auto' }, 8)).toBe(8)
})

it('a number is used as is, and a sandbox always has one process', () => {
  expect(processCount({ ...embedded, PROCESSES: 3 }, 2)).toBe(3)
  expect(processCount({ ...embedded, PROCESSES: 'auto', SANDBOX: true }, 16)).toBe(1)
  expect(processCount({ ...server, PROCESSES: 4, SANDBOX: true }, 16)).toBe(1)
})
