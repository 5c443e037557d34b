import { type DataDrivenReason, type DataOf, getDataDriven } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { channelName } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'

type Model = DataOf<typeof getDataDriven>
type Row = Model['channels'][number]

const reasons: Record<DataDrivenReason, string> = {
  not_computed: 'It is computed once a day, and not yet for this profile.',
  too_few_payments:
    'There are too few payments to learn from. It needs 100 that follow a known visit in the training days, and 50 in the later days.',
  too_few_visits_without_payment:
    'Nearly every recorded visit ends in a payment, so there is nothing to compare. Add the tracker to all pages.',
  one_channel_per_path:
    'Fewer than 30 payments came after visits through several channels, so there is little to divide.',
  not_better_than_chance: 'Channels did not help to predict who buys later.',
  not_better_than_last_touch: 'It did not predict later payments better than last touch. Use last touch.',
  channel_follows_buyers:
    'One channel mostly reached people who had already bought, as retargeting does. Its credit would show who it reaches, not what it adds. A lift or geo study can measure that.',
  too_much_data: 'There are more visits than one run can process.',
}

/** Data-driven revenue by channel, or the reason why it is not shown. */
export function DataDrivenCard() {
  const { profile } = useProfileContext()
  const model = useProfileRead(getDataDriven, {})
  return (
    <Loaded query={model}>
      {({ data, meta }) => (
        <Card
          title="Data-driven, by channel"
          note={
            data.served && typeof meta.date_from === 'string' && typeof meta.date_to === 'string'
              ? `${rangeText(meta.date_from, meta.date_to)}. Learned from ${count(data.learned?.visits ?? 0)} visits, most of them without a payment. It describes paths, not cause: an experiment shows what an ad really adds.`
              : 'Shown only where it predicts later payments better than last touch.'
          }
          flush={data.served}
        >
          {data.served ? (
            <DataTable
              label="Revenue by channel, data-driven"
              columns={columnsFor((value) => money(value, profile.currency))}
              rows={data.channels}
              rowKey={(row) => row.channel}
              initialSort={{ id: 'revenue', descending: true }}
            />
          ) : (
            <p>Not shown. {data.reason === null ? '' : reasons[data.reason]}</p>
          )}
        </Card>
      )}
    </Loaded>
  )
}

function columnsFor(amount: (value: number) => string): Column<Row>[] {
  return [
    {
      id: 'channel',
      label: 'Channel',
      value: (row) => row.channel,
      cell: (row) => channelName(row.channel),
    },
    {
      id: 'revenue',
      label: 'Data-driven',
      number: true,
      value: (row) => row.outcome_value,
      cell: (row) => amount(row.outcome_value),
    },
    {
      id: 'interval',
      label: 'Varies between',
      title:
        'How much the result depends on who visited (95% of 200 resamples of the same people). A channel’s true share can be outside this range',
      number: true,
      value: (row) => row.outcome_value_high - row.outcome_value_low,
      cell: (row) => `${amount(row.outcome_value_low)} – ${amount(row.outcome_value_high)}`,
    },
    {
      id: 'last_touch',
      label: 'Last touch',
      title: 'The same payments under last touch',
      number: true,
      value: (row) => row.last_touch_value,
      cell: (row) => amount(row.last_touch_value),
    },
  ]
}
