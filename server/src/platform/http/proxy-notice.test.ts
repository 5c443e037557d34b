import { expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { makePerson, refusalOf } from '../../../test/make.ts'
import { signIn } from '../access/contract.ts'
import { createProxyNotice } from './proxy-notice.ts'

function logged() {
  const lines: string[] = []
  const add = (message: string) => void lines.push(message)
  return { lines, log: { debug: add, info: add, warn: add, error: add } }
}

it('an untrusted proxy is reported once: at startup if BASE_URL is https, else at the first forwarded request', () => {
  const { lines, log } = logged()
  const local = createProxyNotice({ TRUST_PROXY: [], BASE_URL: 'http://localhost:4400' }, log)
  local.see({ host: 'localhost' })
  expect([local.warning(), lines]).toEqual([undefined, []])
  for (let request = 0; request < 3; request++) local.see({ 'x-forwarded-for': '203.0.113.9' })
  expect(lines).toEqual([local.warning()])
  expect(lines[0]).toContain('TRUST_PROXY')

  const secure = logged()
  createProxyNotice({ TRUST_PROXY: [], BASE_URL: 'https://whence.example' }, secure.log)
  expect(secure.lines).toHaveLength(1)
  const trusted = createProxyNotice(
    { TRUST_PROXY: ['10.0.0.1'], BASE_URL: 'https://whence.example' },
    secure.log,
  )
  trusted.see({ 'x-forwarded-for': '203.0.113.9' })
  expect([trusted.warning(), secure.lines.length]).toEqual([undefined, 1])
})

it('behind an untrusted proxy people can sign in after others failed, and readiness returns a warning', async () => {
  const app = await startTestApp({ TRUST_PROXY: '' })
  try {
    const readiness = async () => (await fetch(`${app.baseUrl}/readyz`)).json()
    expect(await readiness()).toEqual({ status: 'ready', takes: ['everything', 'events', 'reads'] })
    const from = (visitor: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${visitor}` } })
    for (let visitor = 0; visitor < 15; visitor++) {
      const body = { email: `unknown-${visitor}@example.com`, password: 'wrong' }
      expect(await refusalOf(app.as()(signIn, { body, ...from(visitor) }))).toMatchObject({ status: 401 })
    }
    const person = await makePerson(app, 'Patient')
    for (let tries = 0; tries < 10; tries++) {
      const body = { email: person.email, password: 'wrong' }
      expect(await refusalOf(app.as()(signIn, { body, ...from(tries) }))).toMatchObject({ status: 401 })
    }
    // The account's own limit applies, whatever the source and the spelling of the address.
    const body = { email: ` ${person.email.toUpperCase()}`, password: 'wrong' }
    expect(await refusalOf(app.as()(signIn, { body, ...from(99) }))).toMatchObject({ status: 429 })
    expect(await readiness()).toMatchObject({
      status: 'ready',
      warning: expect.stringContaining('TRUST_PROXY'),
    })
  } finally {
    await app.close()
  }
})
