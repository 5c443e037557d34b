import { type SubmitEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { type Filter, type Operator, operatorNames } from './filters.ts'

type Filterable = { id: string; label: string }

const operatorOptions = Object.entries(operatorNames).map(([value, label]) => ({ value, label }))

/** Active filters with their remove buttons, and a form to add one. */
export function FilterBar({
  columns,
  filters,
  onChange,
}: {
  columns: readonly Filterable[]
  filters: readonly Filter[]
  onChange: (filters: Filter[]) => void
}) {
  const [open, setOpen] = useState(false)
  const { values, bind } = useFields({ column: 'spend', operator: '>=', value: '' })
  const nameOf = (column: string) => columns.find(({ id }) => id === column)?.label ?? column
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    onChange([
      ...filters,
      { column: values.column, operator: values.operator as Operator, value: Number(values.value) },
    ])
    setOpen(false)
  }
  return (
    <>
      {filters.map((filter, index) => {
        const text = `${nameOf(filter.column)} ${operatorNames[filter.operator]} ${filter.value}`
        return (
          <Button
            key={`${filter.column}${filter.operator}${filter.value}`}
            small
            aria-label={`Remove the filter ${text}`}
            onClick={() => onChange(filters.filter((_, other) => other !== index))}
          >
            {text}
            <Icon name="close" size={13} />
          </Button>
        )
      })}
      <Popover
        label="Add a filter"
        className="filter-form"
        align="start"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button small>
            <Icon name="plus" size={15} />
            Filter
          </Button>
        }
      >
        <form className="form" onSubmit={add}>
          <Choice
            label="Figure"
            options={columns.map(({ id, label }) => ({ value: id, label }))}
            {...bind('column')}
          />
          <div className="form-row">
            <Choice label="Is" options={operatorOptions} {...bind('operator')} />
            <Field label="Value" type="number" step="any" {...bind('value')} required />
          </div>
          <div className="form-actions">
            <Button type="submit" kind="primary" small>
              Add filter
            </Button>
          </div>
        </form>
      </Popover>
    </>
  )
}
