import { createGeoExperiment, type DataOf, designGeoExperiment, listExperiments } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count, NONE, percent } from '../../format/numbers.ts'
import { rangeText, today } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Design = DataOf<typeof designGeoExperiment>
type Option = Design['options'][number]

const reasons: Record<NonNullable<Design['reason']>, string> = {
  no_regions: 'No payment has a region. Send the customer’s region (state or province) with payments.',
  regions_unknown: 'Fewer than half of the payments have a region.',
  too_few_regions: 'You need six regions with at least one payment every other day.',
  past_too_short: 'You need 91 days of payments with a region.',
  nothing_detectable:
    'Sales per region vary so much from week to week that even a doubling would not be detected.',
}

const columns: Column<Option>[] = [
  { id: 'days', label: 'Length', value: (row) => row.days, cell: (row) => `${row.days} days` },
  {
    id: 'effect',
    label: 'Detects increases from',
    title: 'Detected in 19 of 20 past windows into which it was planted',
    number: true,
    value: (row) => row.detectable_effect,
    cell: (row) => (row.detectable_effect === null ? NONE : percent(row.detectable_effect * 100, 1)),
  },
  {
    id: 'false',
    label: 'False verdicts',
    number: true,
    value: (row) => row.false_verdicts,
    cell: (row) => `${percent(row.false_verdicts * 100)} of ${count(row.windows)} windows`,
  },
]

/** A geo study proposed from the profile's past payments, with its power; or the reason why there is none. */
export function GeoDesignCard() {
  const [lot, setLot] = useState(0)
  const [creating, setCreating] = useState(false)
  const design = useProfileRead(designGeoExperiment, { query: { lot } }, { keep: true })
  return (
    <Loaded query={design}>
      {({ data }) => (
        <Card
          title="Design a geo study"
          note={
            data.supported
              ? `Payments by region, ${rangeText(data.past.date_from, data.past.date_to)}. With ${percent(data.power * 100)} power, the study detects an increase of the size below. Regions are drawn at random.`
              : 'Advertise in some regions but not in others, and compare.'
          }
          actions={
            data.supported ? (
              <>
                <Button onClick={() => setLot((before) => (before + 1) % 100)}>Draw other regions</Button>
                <Button kind="primary" onClick={() => setCreating(true)}>
                  Create from this design
                </Button>
              </>
            ) : null
          }
          flush={data.supported}
        >
          {data.supported ? (
            <>
              <DataTable
                label="Length and power"
                columns={columns}
                rows={data.options}
                rowKey={(row) => String(row.days)}
              />
              <div className="card-body">
                <p>
                  <strong>Treated:</strong> {names(data.treated)}
                </p>
                <p>
                  <strong>Control:</strong> {names(data.control)}
                </p>
              </div>
            </>
          ) : (
            <p>Not possible yet. {data.reason === null ? '' : reasons[data.reason]}</p>
          )}
          {creating ? <NewStudy design={data} onClose={() => setCreating(false)} /> : null}
        </Card>
      )}
    </Loaded>
  )
}

const names = (regions: Design['treated']): string => regions.map(({ region }) => region).join(', ')

function NewStudy({ design, onClose }: { design: Design; onClose: () => void }) {
  const { profile } = useProfileContext()
  const write = useProfileWrite(createGeoExperiment, [listExperiments])
  const toast = useToast()
  const detectable = design.options.filter((option) => option.detectable_effect !== null)
  const { values, bind } = useFields({
    name: '',
    starts_on: today(profile.timezone),
    days: String(design.recommended_days),
  })
  const create = () =>
    write.mutate(
      {
        body: {
          name: values.name,
          metric: design.metric,
          days: detectable.find(({ days }) => String(days) === values.days)!.days as 14 | 21 | 28 | 42,
          starts_on: values.starts_on,
          treated: design.treated.map(({ region }) => region),
          control: design.control.map(({ region }) => region),
        },
      },
      {
        onSuccess: () => {
          onClose()
          toast('Created. Change the advertising of the treated regions only.')
        },
      },
    )
  return (
    <Dialog open onClose={onClose} title="Create a geo study">
      <Form action="Create" write={write} onCancel={onClose} onSubmit={create}>
        <Field label="Name" required maxLength={120} {...bind('name')} />
        <Field label="First day" type="date" required {...bind('starts_on')} />
        <Choice
          label="Length"
          options={detectable.map((option) => ({
            value: String(option.days),
            label: `${option.days} days, from ${percent(option.detectable_effect! * 100, 1)}`,
          }))}
          {...bind('days')}
        />
      </Form>
    </Dialog>
  )
}
