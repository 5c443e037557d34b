import { money, NONE, percent } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import type { Model } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { reasonText, type Touch, touchName } from './touch-names.ts'

type Explained = { model: Model; touches: readonly Touch[] }

/** Credit of each touch under all five models. */
export function ModelMatrix({
  models,
  hasValue,
  currency,
  timeZone,
}: {
  models: readonly Explained[]
  /** False for conversions without a value, such as leads: only shares are shown. */
  hasValue: boolean
  currency: string
  timeZone: string
}) {
  const touches = new Map<string, Touch>()
  for (const { touches: list } of models) for (const touch of list) touches.set(touch.touch_id, touch)
  const rows = [...touches.values()].sort(
    (one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at),
  )
  if (rows.length === 0) return null
  const columns: Column<Touch>[] = [
    {
      id: 'touch',
      label: 'Touch',
      cell: (row) => (
        <>
          {touchName(row)}
          <span className="sub">{instantText(row.occurred_at, timeZone)}</span>
        </>
      ),
    },
    ...models.map(({ model, touches: list }) => ({
      id: model,
      label: modelNames[model].name,
      title: modelNames[model].rule,
      number: true,
      cell: (row: Touch) => {
        const explainedTouch = list.find((candidate) => candidate.touch_id === row.touch_id)
        if (explainedTouch?.status !== 'credited')
          return (
            <span className="faint" title={reasonText(explainedTouch?.reason ?? null)}>
              {NONE}
            </span>
          )
        const share = percent((explainedTouch.weight ?? 0) * 100)
        if (!hasValue) return share
        return (
          <>
            {money(explainedTouch.credited_value, currency)}
            <span className="sub">{share}</span>
          </>
        )
      },
    })),
  ]
  return (
    <Card
      title="All five models"
      note="The credit of each touch. Every column adds up to the whole conversion."
      flush
    >
      <DataTable label="Credit by model" columns={columns} rows={rows} rowKey={(row) => row.touch_id} />
    </Card>
  )
}
