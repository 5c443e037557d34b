/** A second implementation of the platforms' normalisation rules before hashing; wrong rules must fail this test. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as engine from './engine-ads/user-identifiers.ts'
import * as microsoft from './microsoft-ads/capi-event.ts'
import * as shortvideo from './shortvideo/track-event.ts'
import * as social from './social-ads/server-event.ts'

type Normalisers = {
  normaliseEmail: (email: string) => string
  normalisePhone: (phone: string) => string
}

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const address = fc.record({
  first: word,
  second: word,
  tag: fc.option(word, { nil: null }),
  domain: fc.constantFrom('gmail.com', 'googlemail.com', 'example.com', 'mail.gmail.com.example'),
})
type Address = { first: string; second: string; tag: string | null; domain: string }
/** Typical input: capitals and surrounding spaces. */
const typed = ({ first, second, tag, domain }: Address) => {
  const [head, ...rest] = `${first}.${second}`
  return ` ${head!.toUpperCase()}${rest.join('')}${tag === null ? '' : `+${tag}`}@${domain.toUpperCase()}\t`
}
const addressOf = ({ first, second, tag, domain }: Address) =>
  `${first}.${second}${tag === null ? '' : `+${tag}`}@${domain}`
const isOwnMail = ({ domain }: Address) => domain === 'gmail.com' || domain === 'googlemail.com'

const digits = fc.stringMatching(/^[1-9][0-9]{7,13}$/)

const rules = {
  social: {
    email: (typedAddress: Address) => addressOf(typedAddress),
    phone: (number: string) => number,
  },
  engine: {
    email: (typedAddress: Address) =>
      isOwnMail(typedAddress)
        ? `${typedAddress.first}${typedAddress.second}@${typedAddress.domain}`
        : addressOf(typedAddress),
    phone: (number: string) => `+${number}`,
  },
  shortvideo: {
    email: (typedAddress: Address) => addressOf(typedAddress),
    phone: (number: string) => `+${number}`,
  },
  microsoft: {
    email: (typedAddress: Address) => `${typedAddress.first}${typedAddress.second}@${typedAddress.domain}`,
    phone: (number: string) => `+${number}`,
  },
}

function holdsFor(kind: keyof typeof rules, { normaliseEmail, normalisePhone }: Normalisers): void {
  fc.assert(
    fc.property(address, digits, (sample, number) => {
      const spaced = `+${number.slice(0, 2)} (${number.slice(2, 5)}) ${number.slice(5)}`
      expect(normaliseEmail(typed(sample))).toBe(rules[kind].email(sample))
      expect(normalisePhone(`+${number}`)).toBe(rules[kind].phone(number))
      expect(normalisePhone(spaced)).toBe(rules[kind].phone(number))
      // Normalisation is idempotent.
      expect(normaliseEmail(normaliseEmail(typed(sample)))).toBe(normaliseEmail(typed(sample)))
    }),
    { numRuns: 200, seed: 16 },
  )
}

const right: Record<keyof typeof rules, Normalisers> = { social, engine, shortvideo, microsoft }

describe.each(['social', 'engine', 'shortvideo', 'microsoft'] as const)('%s', (kind) => {
  test('normalises by its own rule', () => holdsFor(kind, right[kind]))

  const lower = (email: string) => email.trim().toLowerCase()
  const planted: [string, Partial<Normalisers>][] = [
    ['keeps capitals', { normaliseEmail: (email) => email.trim() }],
    ['keeps spaces', { normaliseEmail: (email) => email.toLowerCase() }],
    [
      'another platform’s dots',
      kind === 'engine' ? { normaliseEmail: lower } : { normaliseEmail: engine.normaliseEmail },
    ],
    ['drops every tag', { normaliseEmail: (email) => lower(email).replace(/\+.*@/, '@') }],
    [
      'another platform’s plus sign',
      kind === 'social'
        ? { normalisePhone: engine.normalisePhone }
        : { normalisePhone: social.normalisePhone },
    ],
    ['keeps what people write between digits', { normalisePhone: (phone) => phone }],
  ]
  test.each(planted)('fails for a wrong rule: %s', (_, wrong) => {
    expect(() => holdsFor(kind, { ...right[kind], ...wrong })).toThrow(/Property failed/)
  })
})

test('leading zeros of a phone number are removed for social only', () => {
  expect(social.normalisePhone('0049151234567')).toBe('49151234567')
})
