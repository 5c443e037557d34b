import { useReport } from '../../report/use-report.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The profile has data, but not in the chosen days. */
export function NoDataInRange() {
  const { change } = useReport()
  return (
    <Notice>
      <div className="more">
        <span>No spend and no payments in these days.</span>
        <Button small onClick={() => change({ from: undefined, to: undefined, preset: 'year' })}>
          Show this year
        </Button>
      </div>
    </Notice>
  )
}
