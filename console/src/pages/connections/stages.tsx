import { listStages, outcomeTypeValues, saveStages } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import type { Provider } from '../../names/providers.ts'
import { sentence } from '../../names/providers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

const options = [
  { value: '', label: 'Nothing' },
  ...outcomeTypeValues.map((value) => ({ value, label: sentence(value) })),
]

/** Maps each stage of a CRM's pipelines to an outcome; unmapped stages start with a suggestion. */
export function StagesDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const stages = useProfileRead(listStages, { params: { provider } })
  const save = useProfileWrite(saveStages, [listStages])
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const toast = useToast()
  const pipelines = stages.data?.data.pipelines ?? []
  const all = pipelines.flatMap((pipeline) => pipeline.stages)
  const meaningOf = (stage: (typeof all)[number]) =>
    chosen[stage.id] ?? stage.current_outcome ?? stage.suggested_outcome ?? ''
  const submit = () => {
    const mappings = all.map((stage) => ({
      stage_id: stage.id,
      outcome_type: outcomeTypeValues.find((outcome) => outcome === meaningOf(stage)) ?? null,
    }))
    save.mutate(
      { params: { provider }, body: { mappings } },
      {
        onSuccess: () => {
          toast('Stages saved. Records are being processed again')
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="What each stage means"
      note="When a deal enters a stage, it counts as this outcome."
      wide
    >
      <Form
        action="Save stages"
        write={save}
        onSubmit={submit}
        onCancel={onClose}
        disabled={all.length === 0}
      >
        <Loaded query={stages}>
          {() =>
            pipelines.map((pipeline) => (
              <fieldset key={pipeline.id} className="field">
                <legend className="label">{pipeline.name}</legend>
                <div className="form-row">
                  {pipeline.stages.map((stage) => (
                    <Choice
                      key={stage.id}
                      label={stage.name}
                      options={options}
                      value={meaningOf(stage)}
                      onChange={(event) => {
                        const { value } = event.target
                        setChosen((before) => ({ ...before, [stage.id]: value }))
                      }}
                    />
                  ))}
                </div>
              </fieldset>
            ))
          }
        </Loaded>
      </Form>
    </Dialog>
  )
}
