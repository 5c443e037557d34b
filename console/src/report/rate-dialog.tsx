import { getOverview, getUnattributed, listCampaigns, saveExchangeRate } from '@whence/sdk'
import { useProfileWrite } from '../api/profile.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { useToast } from '../ui/toast.tsx'

/** Saves an exchange rate from a day on. Amounts that waited for it are converted in the background. */
export function RateDialog({
  missing,
  target,
  onClose,
}: {
  missing: { currency: string; day: string }
  target: string
  onClose: () => void
}) {
  const { values, bind } = useFields({ ...missing, rate: '' })
  const save = useProfileWrite(saveExchangeRate, [getOverview, listCampaigns, getUnattributed])
  const toast = useToast()
  const submit = () =>
    save.mutate(
      { body: { currency: values.currency, day: values.day, rate: values.rate } },
      {
        onSuccess: () => {
          toast('Rate saved. Amounts are being converted.')
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Enter an exchange rate"
      note="It applies to this day and up to 7 days after it, until there is a newer rate."
    >
      <Form action="Save rate" write={save} onSubmit={submit} onCancel={onClose}>
        <Field label="Currency" maxLength={3} {...bind('currency')} required />
        <Field label="From day" type="date" {...bind('day')} required />
        <Field
          label={`One ${values.currency} in ${target}`}
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]+)?"
          title="A decimal number such as 1.0842"
          {...bind('rate')}
          required
        />
      </Form>
    </Dialog>
  )
}
