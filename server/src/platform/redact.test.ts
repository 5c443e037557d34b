import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { redact } from './redact.ts'
import { mintToken, type TokenKind } from './secrets/tokens.ts'

const kinds: TokenKind[] = [
  'api_key',
  'user_token',
  'session',
  'tracking_key',
  'app_secret',
  'invitation',
  'authorization_code',
  'access_token',
  'refresh_token',
]

it.each(kinds)('redacts every %s', (kind) => {
  for (const mode of ['live', 'test'] as const) {
    const { token } = mintToken(kind, mode)
    for (const text of [token, `Bearer ${token}`, `/path/${token}/more`, `{"token":"${token}"}`]) {
      expect(redact(text)).not.toContain(token.slice(-20))
      expect(redact(text)).toContain('…')
    }
  }
})

it.each([
  ['duplicate key: (email)=(ana@example.com)', 'ana@example.com'],
  ['invalid input syntax: "ana.maria+x@shop.example.co"', 'ana.maria'],
  ['connect postgres://whence:hunter22@db.example:5432/whence', 'hunter22'],
  ['GET https://api.example/v1/token?code=abc123&state=xyz', 'abc123'],
  ['GET https://api.example/v1/token?code=abc123&state=xyz', 'xyz'],
  ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8'],
])('%s does not keep %s', (text, secret) => {
  expect(redact(text)).not.toContain(secret)
})

it('leaves plain text, routes and ids unchanged', () => {
  for (const text of [
    'Migration 0420_readiness.sql failed: relation "users" does not exist',
    'at async run (file:///srv/whence/server/src/platform/jobs/run.ts:31:5)',
    '/api/v1/workspaces/:workspaceId/api-keys',
    '01920000-0000-7000-8000-000000000000',
  ])
    expect(redact(text)).toBe(text)
})

it('every log line is redacted, including nested causes', () => {
  const lines: string[] = []
  const log = createLog('debug', (line) => lines.push(line))
  const deep = new Error('no mail to ana@example.com', {
    cause: new Error('refused', { cause: new Error(`token ${mintToken('session').token}`) }),
  })
  log.error('failed for ana@example.com', { error: deep })
  log.warn('failed', { error: 'GET /x?code=abc123' })
  log.warn('no call to +34 600 987 654', { code: 'ana%40example.com' })
  const text = lines.join('')
  expect(text).toContain('refused')
  for (const secret of ['ana@example.com', 'ana%40', '987 654', 'whence_sess_0', 'abc123'])
    expect(text).not.toContain(secret)
  expect(text).not.toMatch(/whence_sess_[0-9A-Za-z]{10}/)
})

it('a word of a million letters is processed in linear time', () => {
  const word = 'x'.repeat(1_000_000)
  expect(redact(`/${word}`)).toBe(`/${word}`)
  expect(redact(`${word}@example.com is taken`)).toBe('…@… is taken')
  expect(redact(`${'a@'.repeat(300_000)}b`)).toHaveLength(600_001)
})
