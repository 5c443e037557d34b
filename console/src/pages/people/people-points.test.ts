import { expect, it } from 'vitest'
import { peoplePoints } from './people-points.ts'

const none = { people: 0, touches: 0 }
const labels = {
  web: { label_en: 'Website visit from an ad' },
  conversation_referral: { label_en: 'Conversation' },
  partner_ad_referral: { label_en: 'Partner' },
  other: { label_en: 'Other' },
}
const bucket = (start: string, end: string) => ({
  key: start,
  start,
  end,
  ad_people: 12,
  by_origin: {
    web: { people: 12, touches: 15 },
    conversation_referral: { people: 8, touches: 8 },
    partner_ad_referral: none,
    other: none,
  },
})
const pointsOf = (group_by: 'day' | 'month', start: string, end: string) =>
  peoplePoints({
    group_by,
    buckets: [bucket(start, end)],
    origin_labels: labels,
  } as unknown as Parameters<typeof peoplePoints>[0])

it('a bar counts each person once, even if they came in several ways', () => {
  expect(pointsOf('day', '2026-05-04', '2026-05-04')).toEqual([
    {
      label: 'May 4',
      title: 'May 4, 2026',
      days: { from: '2026-05-04', to: '2026-05-04' },
      values: { people: 12 },
      detail: [
        { label: 'Website visit from an ad', value: '12' },
        { label: 'Conversation', value: '8' },
      ],
    },
  ])
})

it('a month is labelled by its name', () => {
  expect(pointsOf('month', '2026-10-19', '2026-10-31')[0]).toMatchObject({
    label: 'Oct 2026',
    title: 'Oct 19 – Oct 31, 2026',
  })
})
