import { expect, it } from 'vitest'
import { replyMinutes, replyState } from './reply-state.ts'

const window = {
  open: true,
  closes_at: '2026-11-17T12:00:00Z',
  human_agent_closes_at: '2026-11-23T12:00:00Z' as string | null,
}
const at = (
  channel: 'chatapp' | 'pagechat',
  now: string,
  status: 'connected' | 'revoked' | null = 'connected',
) =>
  replyState(
    {
      channel,
      account_status: status,
      reply_window: {
        ...window,
        human_agent_closes_at: channel === 'chatapp' ? null : window.human_agent_closes_at,
      },
    },
    new Date(now),
  )

it.each([
  ['pagechat', '2026-11-17T11:59:00Z', 'text'],
  ['pagechat', '2026-11-17T12:00:00Z', 'human_agent'],
  ['pagechat', '2026-11-23T12:00:00Z', 'closed'],
  ['chatapp', '2026-11-17T11:59:00Z', 'text'],
  ['chatapp', '2026-11-17T12:00:00Z', 'template'],
] as const)('%s at %s: %s', (channel, now, state) => {
  expect(at(channel, now)).toBe(state)
})

it('an account that is not connected must be connected or reconnected first', () => {
  expect(at('chatapp', '2026-11-17T11:59:00Z', null)).toBe('connect')
  expect(at('chatapp', '2026-11-17T11:59:00Z', 'revoked')).toBe('reconnect')
})

it('counts minutes from the first message to the first reply', () => {
  const started_at = '2026-11-17T10:00:00Z'
  expect(replyMinutes({ started_at, first_reply_at: '2026-11-17T10:12:20Z' })).toBe(12)
  expect(replyMinutes({ started_at, first_reply_at: null })).toBeNull()
})
