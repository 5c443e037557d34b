/** Two processes on one database while the master key is rotated. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { isAccepted, makePerson } from '../../../test/make.ts'
import { forgetCredentials } from '../access/authenticate.ts'
import { generateMasterKeys } from './keyring.ts'
import { rotationWait, sealingKeyOf } from './rotation.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const live = (minute: number, ...keyIds: string[]) => ({ keyIds, startedAt: at(minute) })

it.each([
  ['no process is registered', [], 'k1', 'k1'],
  ['one process', [live(0, 'k2', 'k1')], 'k1', 'k2'],
  ['an older process lacks the new key', [live(0, 'k1'), live(1, 'k2', 'k1')], 'k1', 'k1'],
  ['every process has it', [live(0, 'k1', 'k2'), live(1, 'k2', 'k1')], 'k1', 'k2'],
  ['the last one to start decides', [live(1, 'k2', 'k1'), live(0, 'k1', 'k2')], 'k2', 'k2'],
  ['back to the old key', [live(0, 'k2', 'k1'), live(1, 'k1', 'k2')], 'k2', 'k1'],
])('%s', (_, processes, inUse, expected) => {
  expect(sealingKeyOf(processes, inUse)).toBe(expected)
})

it('a key that waits has a countdown until the last process without it no longer counts', () => {
  const seen = (minute: number, ...keyIds: string[]) => ({ ...live(0, ...keyIds), seenAt: at(minute) })
  const newest = { ...live(1, 'k2', 'k1'), seenAt: at(20) }
  expect(rotationWait([seen(14, 'k1'), seen(16, 'k1'), newest], at(20))).toEqual({
    keyId: 'k2',
    processes: 2,
    secondsLeft: 360,
  })
  expect(rotationWait([seen(16, 'k1', 'k2'), newest], at(20))).toBeNull()
  expect(rotationWait([], at(20))).toBeNull()
})

describe('two processes', () => {
  let app: TestApp
  let oldKeys: string
  let newKeys: string
  const started: TestApp[] = []
  beforeEach(async () => {
    app = await startTestApp()
    app.service.keyRotation.stop()
    const { id, key } = app.service.keyring.current
    oldKeys = `${id}:${key.toString('base64')}`
    newKeys = `${generateMasterKeys('k2')},${oldKeys}`
  })
  afterEach(async () => {
    for (const twin of started.splice(0)) await twin.close()
    await app.close()
    vi.restoreAllMocks()
  })

  async function start(masterKeys: string, env: Record<string, string> = {}): Promise<TestApp> {
    const twin = await app.startTwin({ masterKeys, env })
    // Only the test's own heartbeats.
    twin.service.keyRotation.stop()
    started.push(twin)
    return twin
  }

  /** Simulates missing heartbeats. */
  const age = (keyId: string) =>
    app.pool.query(
      `update key_holders set seen_at = seen_at - interval '11 minutes' where not ($1 = any(key_ids))`,
      [keyId],
    )

  async function acceptedAt(process: TestApp, token: string): Promise<boolean> {
    forgetCredentials(process.service)
    return isAccepted(process, token)
  }

  it('a key that was used at the new process is accepted at the old one', async () => {
    const { token } = await makePerson(app)
    const next = await start(newKeys)
    await next.service.keyRotation.heartbeat()
    expect(next.service.keyring.current.id).toBe('k1')
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await acceptedAt(next, token)).toBe(true)
      expect(await acceptedAt(app, token)).toBe(true)
    }
    // A process with the old list may restart during the rotation.
    const restarted = await start(oldKeys)
    expect(await acceptedAt(restarted, token)).toBe(true)
  })

  it('the new key is used once no process lacks it, and older processes cannot start', async () => {
    const { token } = await makePerson(app)
    const next = await start(newKeys)
    const second = await start(newKeys)
    await age('k2')
    await next.service.keyRotation.heartbeat()
    expect(next.service.keyring.current.id).toBe('k2')
    // It has both keys, so it can decrypt new values before its own heartbeat.
    expect(second.service.keyring.current.id).toBe('k1')
    expect(await acceptedAt(next, token)).toBe(true)
    expect(await acceptedAt(second, token)).toBe(true)
    await second.service.keyRotation.heartbeat()
    expect(second.service.keyring.current.id).toBe('k2')
    await expect(start(oldKeys)).rejects.toThrow(
      /^MASTER_KEYS lacks the key "k2", which encrypts new values since/,
    )
  })

  it('a running process that lacks the current key logs it and rejects no credential', async () => {
    const lines: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    const { token } = await makePerson(app)
    const old = await start(oldKeys, { LOG_LEVEL: 'error' })
    const next = await start(newKeys)
    await age('k2')
    await next.service.keyRotation.heartbeat()
    expect(await acceptedAt(next, token)).toBe(true)
    await old.service.keyRotation.heartbeat()
    await old.service.keyRotation.heartbeat()
    expect(lines.filter((line) => line.includes('MASTER_KEYS lacks the key'))).toHaveLength(1)
    forgetCredentials(old.service)
    const reply = await fetch(`${old.baseUrl}/api/v1/workspaces`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(503)
    expect(await reply.json()).toMatchObject({ error: { code: 'service_unavailable' } })
    const ready = await fetch(`${old.baseUrl}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', reason: 'master_key_missing', takes: [] },
    ])
  })
})
