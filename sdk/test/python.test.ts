/** The Python client: its own tests, the examples of its README against a service, and webhooks that the service signed. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { signWebhook, toSigningKey } from '../../server/src/platform/outbound/standard-webhooks.ts'
import { version } from '../../server/src/platform/version.ts'
import { makeKey, startTestProfile } from '../../server/test/make.ts'

const folder = fileURLToPath(new URL('../../sdk-python/', import.meta.url))
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0
const pythonIt = it.skipIf(!hasPython)

const python = (args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)('python3', [...args], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

pythonIt('its own tests pass', async () => {
  const { stderr } = await python(['-m', 'unittest', 'discover', '-s', 'tests'])
  expect(stderr).toMatch(/Ran \d+ tests[\s\S]*OK/)
})

pythonIt('the examples of its README run against a service', async () => {
  const { app, profileId } = await startTestProfile()
  try {
    const scopes = ['events:write', 'campaigns:read', 'connections:read', 'payments:read'] as const
    const env = { WHENCE_URL: app.baseUrl, WHENCE_KEY: await makeKey(app, profileId, scopes) }
    // Their payment is of now, their range is a fixed year.
    const later = `${new Date().getUTCFullYear() + 2}-01-01T00:00:00Z`
    const examples = [...read('README.md').matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) =>
      code!.replace('2027-01-01T00:00:00Z', later),
    )
    const printed: string[] = []
    for (const code of examples) {
      printed.push((await python(['-c', code], env)).stdout)
      await app.service.processor.settled(profileId)
    }
    expect(printed[0]).toMatch(/^accepted /)
    expect(printed.slice(1, 3)).toEqual([expect.stringMatching(/^129\.9\n$/), 'no such connection\n'])
  } finally {
    await app.close()
  }
})

pythonIt('returns a webhook that the service signed, and refuses a changed one', async () => {
  const secret = `whsec_${btoa('a secret of thirty-two bytes here')}`
  const body = JSON.stringify({ type: 'conversion.credited', data: { note: 'ñ' } })
  const sentAt = new Date('2026-11-17T10:00:00Z')
  const signed = signWebhook([toSigningKey(secret)], { id: 'e1', sentAt, body })
  const script = `
import json, sys, whence
headers, body, secret = json.loads(sys.argv[1])
other = 'whsec_YW5vdGhlciBvbmUgb2YgdGhpcnR5LXR3byBieXRlcy4u'
at = int(headers['webhook-timestamp'])
print(json.dumps(whence.verify_webhook(body, headers, [other, secret], now=at)))
without = {name: value for name, value in headers.items() if name != 'webhook-signature'}
for changed in [(body + ' ', headers, secret), (body, headers, other), (body, without, secret),
                (body, {**headers, 'webhook-id': 'e2'}, secret), (body, headers, 'whsec_?')]:
    try: print('accepted', whence.verify_webhook(*changed, now=at))
    except whence.WebhookVerificationError: pass
for seconds in (360, -360):
    try: print('accepted', whence.verify_webhook(body, headers, secret, now=at + seconds))
    except whence.WebhookVerificationError: pass`
  const { stdout } = await python(['-c', script, JSON.stringify([signed, body, secret])])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([JSON.parse(body)])
})

it('has the version of the service', () => {
  expect(read('pyproject.toml')).toContain(`version = "${version}"`)
})
