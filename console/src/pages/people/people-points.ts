import type { DataOf, listAdPeople } from '@whence/sdk'
import type { Point } from '../../charts/series.ts'
import { count } from '../../format/numbers.ts'
import { dayText, monthText, rangeText } from '../../format/times.ts'

type Data = Pick<DataOf<typeof listAdPeople>, 'group_by' | 'buckets' | 'origin_labels'>

const origins = ['web', 'conversation_referral', 'partner_ad_referral', 'other'] as const

/** One bar of distinct people per period. Origins overlap, so they are listed and not stacked. */
export function peoplePoints({ group_by, buckets, origin_labels }: Data): Point[] {
  return buckets.map((bucket) => ({
    label: group_by === 'month' ? monthText(bucket.start) : dayText(bucket.start),
    title: group_by === 'month' ? rangeText(bucket.start, bucket.end) : dayText(bucket.start, true),
    days: { from: bucket.start, to: bucket.end },
    values: { people: bucket.ad_people },
    detail: origins
      .filter((origin) => bucket.by_origin[origin].people > 0)
      .map((origin) => ({
        label: origin_labels[origin].label_en,
        value: count(bucket.by_origin[origin].people),
      })),
  }))
}
