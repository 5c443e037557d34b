import { useProfileContext } from '../api/profile.ts'
import { today } from '../format/times.ts'
import { Check } from '../ui/field.tsx'
import { DatePicker } from './date-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import { ShareButton } from './share.tsx'
import { useReport } from './use-report.ts'

/** Controls of every report: comparison, model, dates and link. */
export function ReportControls({
  withModel = true,
  withCompare = false,
  datesLabel,
}: {
  withModel?: boolean
  /** The page can compare with the previous period. */
  withCompare?: boolean
  datesLabel?: string
}) {
  const { profile } = useProfileContext()
  const { range, preset, model, compare, change } = useReport()
  return (
    <>
      {withCompare ? (
        <Check
          label="Compare"
          title="With the previous period of the same length"
          checked={compare}
          onChange={(event) => change({ compare: event.target.checked })}
        />
      ) : null}
      {withModel ? <ModelPicker model={model} onChange={(next) => change({ model: next })} /> : null}
      <DatePicker
        range={range}
        preset={preset}
        today={today(profile.timezone)}
        label={datesLabel}
        onChange={(chosen) => change({ from: undefined, to: undefined, preset: undefined, ...chosen })}
      />
      <ShareButton />
    </>
  )
}
