import { type DataOf, getPacing, setPacingTarget } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { monthText } from '../../format/times.ts'
import { providerName } from '../../names/providers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'

type PacingRow = DataOf<typeof getPacing>[number]

export function TargetDialog({ row, onClose }: { row: PacingRow; onClose: () => void }) {
  const { workspace } = useProfileContext()
  const write = useWrite(setPacingTarget, [getPacing])
  const { values, bind } = useFields({
    budget: row.budget_source === 'target' && row.budget !== null ? String(row.budget) : '',
  })
  const save = () =>
    write.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          profile_id: row.profile_id,
          provider: row.provider as 'social_ads',
          month: row.month,
          budget: values.budget.trim() === '' ? null : values.budget.trim(),
        },
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Target for ${providerName(row.provider)}`}
      note={`What you plan to spend in ${monthText(`${row.month}-01`)}.`}
    >
      <Form action="Save target" onSubmit={save} onCancel={onClose} write={write}>
        <Field
          label={`Budget in ${row.currency}`}
          inputMode="decimal"
          hint="If empty, the platform’s daily budgets are used."
          {...bind('budget')}
        />
      </Form>
    </Dialog>
  )
}
