import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messagingChannels } from '../../../connectors/messaging.ts'
import { replyWindow, windowRefusal } from './windows.ts'

const wroteAt = new Date('2026-11-16T12:00:00Z')
const text = { isTemplate: false, humanAgent: false }
const human = { isTemplate: false, humanAgent: true }
const template = { isTemplate: true, humanAgent: false }

it.each([
  ['pagechat', text, '2026-11-17T11:59:59.999Z', null],
  ['pagechat', text, '2026-11-17T12:00:00.000Z', 'messaging_window_closed'],
  ['pagechat', human, '2026-11-23T11:59:59.999Z', null],
  ['pagechat', human, '2026-11-23T12:00:00.000Z', 'messaging_window_closed'],
  ['photoapp', text, '2026-11-17T12:00:00.000Z', 'messaging_window_closed'],
  ['photoapp', human, '2026-11-20T12:00:00.000Z', null],
  ['chatapp', text, '2026-11-17T11:59:59.999Z', null],
  ['chatapp', text, '2026-11-17T12:00:00.000Z', 'chatapp_service_window_expired'],
  ['chatapp', human, '2026-11-17T12:00:00.000Z', 'chatapp_service_window_expired'],
  ['chatapp', template, '2027-11-17T12:00:00.000Z', null],
] as const)('%s %o at %s: %s', (channel, message, now, refusal) => {
  expect(windowRefusal(channel, wroteAt, message, new Date(now))).toBe(refusal)
})

it('no window opens without a message of the person, but a chat template is allowed', () => {
  for (const channel of messagingChannels) {
    expect(windowRefusal(channel, null, human, wroteAt)).not.toBeNull()
    expect(replyWindow(channel, null)).toBeNull()
  }
  expect(windowRefusal('chatapp', null, template, wroteAt)).toBeNull()
})

it('once closed, a window stays closed until the person writes', () => {
  const seconds = fc.integer({ min: 0, max: 20 * 86_400 })
  fc.assert(
    fc.property(
      fc.constantFrom(...messagingChannels),
      fc.boolean(),
      seconds,
      seconds,
      (channel, agent, a, b) => {
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map(
          (after) => new Date(wroteAt.getTime() + after * 1000),
        ) as [Date, Date]
        const message = { isTemplate: false, humanAgent: agent }
        if (windowRefusal(channel, wroteAt, message, earlier) === null) return
        expect(windowRefusal(channel, wroteAt, message, later)).not.toBeNull()
      },
    ),
  )
})
