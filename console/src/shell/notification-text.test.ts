import { expect, it } from 'vitest'
import { textOf } from './notification-text.ts'

const notification = { id: '1', at: '2026-05-01T10:00:00Z', subject_id: null, is_unread: true }

it('describes the event and links to the page to act on it', () => {
  expect(
    textOf({ ...notification, kind: 'connection_broken', subject: 'social_ads', detail: 'token_expired' }),
  ).toEqual({ text: 'Meta stopped: reconnect it', to: '/p/$profileId/connections' })
  expect(textOf({ ...notification, kind: 'export_failed', subject: null, detail: '2' }).text).toBe(
    '2 conversions rejected by the ad platform',
  )
  expect(textOf({ ...notification, kind: 'data_problem', subject: null, detail: '1' })).toEqual({
    text: 'The data check found 1 problem',
    to: '/p/$profileId/data-health',
  })
})
