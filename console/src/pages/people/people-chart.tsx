import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import type { listAdPeople } from '@whence/server/features/ad-people/contract.ts'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { acrossAxis, chartMargin, upAxis } from '../../charts/axes.ts'
import { ChartTooltip } from '../../charts/chart-tooltip.tsx'
import { Legend } from '../../charts/legend.tsx'
import { count } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'

type Data = ReplyOf<typeof listAdPeople>
type Origin = keyof Data['origin_labels']

const colors: Record<Origin, string> = {
  web: 'var(--chart-1)',
  conversation_referral: 'var(--chart-3)',
  partner_ad_referral: 'var(--chart-4)',
  other: 'var(--chart-2)',
}
const origins = Object.keys(colors) as Origin[]

/** A person who came in two ways stands in both parts of the bar. */
export default function PeopleChart({
  buckets,
  labels,
}: {
  buckets: Data['buckets']
  labels: Data['origin_labels']
}) {
  const shown = origins.filter((origin) => buckets.some((bucket) => bucket.by_origin[origin].people > 0))
  const points = buckets.map((bucket) => ({
    date: bucket.start,
    ...Object.fromEntries(shown.map((origin) => [origin, bucket.by_origin[origin].people])),
  }))
  return (
    <figure className="chart">
      <figcaption className="sr-only">
        People reached per period; the same figures are in the table.
      </figcaption>
      <Legend
        items={shown.map((origin) => ({
          key: origin,
          label: labels[origin].label_en,
          color: colors[origin],
        }))}
      />
      <div className="chart-canvas">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={points} margin={chartMargin} accessibilityLayer>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="date" tickFormatter={(day: string) => dayText(day)} {...acrossAxis} />
            <YAxis width={40} allowDecimals={false} {...upAxis} />
            <Tooltip cursor={{ fill: 'var(--surface-2)' }} content={<ChartTooltip format={count} />} />
            {shown.map((origin) => (
              <Bar
                key={origin}
                dataKey={origin}
                name={labels[origin].label_en}
                stackId="people"
                fill={colors[origin]}
                maxBarSize={36}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}
