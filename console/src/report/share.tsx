import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'
import { linkTo } from './report.ts'
import { useReport } from './use-report.ts'

/** Copies the link to the open report and shows a toast. */
export function useShare(): () => void {
  const report = useReport()
  const toast = useToast()
  return () =>
    void copyText(linkTo(location.href, report)).then(
      () => toast('Link copied. People with access to this profile will see the same days and model.'),
      () => toast('The browser blocked copying. Copy the link from the address bar.', 'bad'),
    )
}

export function ShareButton() {
  return (
    <Button onClick={useShare()}>
      <Icon name="share" size={16} />
      <span className="word-if-wide">Copy link</span>
    </Button>
  )
}
