import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/field.tsx'
import type { Goal } from '../goals/goal.ts'
import { type Mapping, saleFieldIds, saleFields } from './sale-fields.ts'
import { type DateOrder, type DecimalMark, dateExamples, dateOrders } from './sale-values.ts'
import { REFUND } from './sales-csv.ts'

export type Choices = {
  eventName: string
  consent: 'granted' | 'denied' | 'unspecified'
  dateOrder: DateOrder
  decimalMark: DecimalMark
}

const consents = [
  { value: 'unspecified', label: 'Unknown: your data-sharing settings decide' },
  { value: 'granted', label: 'Customers agreed' },
  { value: 'denied', label: 'Customers refused: never sent to an ad platform' },
]

/** Maps columns to fields, and sets the formats of dates and amounts. */
export function MapColumns({
  headings,
  first,
  mapping,
  onMapping,
  choices,
  onChoices,
  goals,
}: {
  headings: readonly string[]
  first: readonly string[]
  mapping: Mapping
  onMapping: (mapping: Mapping) => void
  choices: Choices
  onChoices: (choices: Choices) => void
  goals: readonly Goal[]
}) {
  const columns = [
    { value: '', label: 'Not in the file' },
    ...headings.map((heading, index) => ({
      value: String(index),
      label: `${heading.trim() || `Column ${index + 1}`}${first[index] ? ` (${first[index].slice(0, 24)})` : ''}`,
    })),
  ]
  const choose = (name: keyof Choices) => ({
    value: choices[name],
    onChange: (event: { target: { value: string } }) =>
      onChoices({ ...choices, [name]: event.target.value } as Choices),
  })
  const map = (field: keyof typeof saleFields, value: string) => {
    const { [field]: _, ...otherColumns } = mapping
    onMapping(value === '' ? otherColumns : { ...otherColumns, [field]: Number(value) })
  }
  const outcomes = goals.flatMap((goal) =>
    goal.source_event_names.slice(0, 1).map((value) => ({ value, label: goal.display_name })),
  )
  return (
    <Card title="Columns" note="Only the columns you choose are sent.">
      <div className="map-grid">
        {saleFieldIds.map((field) => (
          <Choice
            key={field}
            label={saleFields[field].label}
            options={columns}
            value={String(mapping[field] ?? '')}
            onChange={(event) => map(field, event.target.value)}
          />
        ))}
        <Choice
          label="Dates are written as"
          hint="Without a time, a sale counts at the end of its day."
          options={dateOrders.map((value) => ({ value, label: dateExamples[value] }))}
          {...choose('dateOrder')}
        />
        <Choice
          label="Amounts are written as"
          options={[
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          {...choose('decimalMark')}
        />
        <Choice
          label="Each row is"
          hint="A row with a negative amount is a refund of its order."
          options={[
            ...(outcomes.length > 0 ? outcomes : [{ value: 'payment_received', label: 'Payment received' }]),
            { value: REFUND, label: 'Refund' },
          ]}
          {...choose('eventName')}
        />
        <Choice
          label="Consent to use the data for ads"
          hint="For rows whose column is empty."
          options={consents}
          {...choose('consent')}
        />
      </div>
    </Card>
  )
}
