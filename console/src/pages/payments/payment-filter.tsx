import { useNavigate, useSearch } from '@tanstack/react-router'
import { amountForm } from '@whence/server/platform/contract/amounts.ts'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FindBox } from '../../ui/find-box.tsx'
import { useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'

type Bounds = { min?: string | undefined; max?: string | undefined }

/** Filters payments by search text and by a range of amounts. */
export function PaymentFilter() {
  const { find, min, max } = useSearch({ from: '/p/$profileId/payments' })
  const navigate = useNavigate({ from: '/p/$profileId/payments' })
  const setBounds = (bounds: Bounds) => void navigate({ search: (before) => ({ ...before, ...bounds }) })
  return (
    <div className="toolbar">
      <FindBox
        label="Find a payment"
        placeholder="Payer, email, order or amount"
        value={find}
        onFind={(text) => void navigate({ search: (before) => ({ ...before, find: text }) })}
      />
      {min || max ? (
        <Button
          small
          aria-label={`Remove the filter ${boundsText({ min, max })}`}
          onClick={() => setBounds({ min: undefined, max: undefined })}
        >
          {boundsText({ min, max })}
          <Icon name="close" size={13} />
        </Button>
      ) : (
        <AmountForm onChange={setBounds} />
      )}
    </div>
  )
}

function boundsText({ min, max }: Bounds): string {
  if (min && max) return `Paid ${min} to ${max}`
  return min ? `Paid at least ${min}` : `Paid at most ${max}`
}

function AmountForm({ onChange }: { onChange: (bounds: Bounds) => void }) {
  const [open, setOpen] = useState(false)
  const { values, bind } = useFields({ min: '', max: '' })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onChange({ min: values.min || undefined, max: values.max || undefined })
    setOpen(false)
  }
  const form = { inputMode: 'decimal' as const, pattern: amountForm.source, title: 'Such as 129.90' }
  return (
    <Popover
      label="Filter by amount"
      className="filter-form"
      align="start"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button small>
          <Icon name="plus" size={15} />
          Amount
        </Button>
      }
    >
      <form className="form" onSubmit={submit}>
        <div className="form-row">
          <Field label="At least" {...form} {...bind('min')} />
          <Field label="At most" {...form} {...bind('max')} />
        </div>
        <p className="hint">In the currency of each payment.</p>
        <div className="form-actions">
          <Button type="submit" kind="primary" small>
            Apply
          </Button>
        </div>
      </form>
    </Popover>
  )
}
