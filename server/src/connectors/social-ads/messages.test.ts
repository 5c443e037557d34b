import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactBody, toMessageActions } from './messages.ts'

const WORDS = 'my knee hurts, call me'
const bytes = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))
const stored = (body: unknown): unknown => JSON.parse(new TextDecoder().decode(redactBody(bytes(body))))

const at = Date.parse('2026-10-01T10:00:00Z')
const thread = (changes: Record<string, unknown>) => ({
  object: 'page',
  entry: [
    {
      id: '1',
      time: at,
      messaging: [
        {
          sender: { id: '2' },
          recipient: { id: '1' },
          timestamp: at,
          message: { mid: 'm_1', text: WORDS },
          ...changes,
        },
      ],
    },
  ],
})
const chat = (changes: Record<string, unknown>, value: Record<string, unknown> = {}) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            messages: [
              {
                id: 'wamid.HBgL=',
                from: '12025550101',
                timestamp: String(at / 1000),
                type: 'text',
                text: { body: WORDS },
                ...changes,
              },
            ],
            ...value,
          },
        },
      ],
    },
  ],
})

const unusual: [string, unknown][] = [
  ['time as text', thread({ timestamp: String(at) })],
  ['no mid', thread({ message: { text: WORDS } })],
  ['a mid of another type', thread({ message: { mid: { id: 'm_1' }, text: WORDS } })],
  ['a sender that is text', thread({ sender: WORDS })],
  ['a sender whose id is the text', thread({ sender: { id: WORDS } })],
  ['a postback with a title', thread({ message: null, postback: { mid: 7, title: WORDS, payload: WORDS } })],
  ['a referral with words', thread({ referral: { source: WORDS, ref: WORDS, ad_id: 5 } })],
  ['entries that are text', { object: 'page', entry: [WORDS, { messaging: WORDS }] }],
  ['an object of another kind', { object: WORDS, entry: WORDS, text: WORDS }],
  ['a list', [WORDS]],
  ['text alone', WORDS],
  ['a chat time as a number', chat({ timestamp: at / 1000 })],
  ['a chat message without id', chat({ id: null })],
  ['a chat message from an object', chat({ from: { phone: '1', text: WORDS } })],
  ['chat statuses that are text', chat({}, { statuses: WORDS, contacts: [WORDS] })],
  ['a change of another field', { object: 'page', entry: [{ changes: [{ field: 'feed', value: WORDS }] }] }],
  [
    'a lead with an answer',
    {
      object: 'page',
      entry: [{ id: 1, changes: [{ field: 'leadgen', value: { leadgen_id: 1, q: WORDS } }] }],
    },
  ],
]

describe('the stored part of a message', () => {
  it.each(unusual)('contains no text: %s', (_, body) => {
    expect(JSON.stringify(stored(body))).not.toMatch(/knee|call me/)
  })

  it('contains no text if the body is not JSON', () => {
    expect(new TextDecoder().decode(redactBody(new TextEncoder().encode(WORDS)))).not.toContain('knee')
  })

  it('contains no text from any place in a payload', () => {
    const { tie } = fc.letrec((tie) => ({
      tie: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant(WORDS),
        fc.integer(),
        fc.array(tie('tie'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'object',
            'entry',
            'id',
            'messaging',
            'message',
            'mid',
            'text',
            'changes',
            'field',
            'value',
            'messages',
            'from',
            'sender',
            'ref',
            'type',
          ),
          tie('tie'),
          { maxKeys: 5 },
        ),
      ),
    }))
    fc.assert(
      fc.property(tie, (body) => !JSON.stringify(stored(body)).includes('knee')),
      { seed: 7, numRuns: 500 },
    )
  })

  it('maps to the same records as the received body', () => {
    for (const [, body] of unusual) expect(toMessageActions(stored(body))).toEqual(toMessageActions(body))
  })
})

it('a message is read if its time is text or its id is missing', () => {
  const messageOf = (body: unknown) => {
    const [meaning] = toMessageActions(body)
    return meaning?.type === 'records' ? meaning.records[0] : undefined
  }
  const occurredAt = '2026-10-01T10:00:00.000Z'
  expect(messageOf(thread({ timestamp: String(at) }))).toMatchObject({ externalId: 'm_1', occurredAt })
  expect(messageOf(thread({ message: { text: WORDS } }))).toMatchObject({
    externalId: `message:2:${at}`,
    occurredAt,
  })
  expect(messageOf(chat({ timestamp: at / 1000 }))).toMatchObject({ externalId: 'wamid.HBgL=', occurredAt })
  expect(messageOf(thread({ timestamp: 1e300 }))).toBeUndefined()
})
