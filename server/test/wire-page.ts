/** A page view of the browser tracker; tests override the relevant fields. */
import type { z } from 'zod'
import type { WireEvent } from '../src/features/sources/tracking/wire.ts'

type Page = z.input<typeof WireEvent>

export function makeWirePage(fields: Partial<Page> & Pick<Page, 'event_id' | 'anonymous_id'>): Page {
  return {
    type: 'page_view',
    event_name: 'page_view',
    occurred_at: '2026-05-10T10:00:00Z',
    sent_at: '2026-05-10T10:00:00Z',
    session_id: 'session',
    session_start: true,
    url: 'https://shop.example/',
    referrer: '',
    title: '',
    utm: {},
    click_ids: {},
    ad: {},
    properties: {},
    user_traits: {},
    consent: 'granted',
    screen: { w: 1, h: 1 },
    language: 'en',
    tz: 'UTC',
    ...fields,
  }
}
