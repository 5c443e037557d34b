import { Page } from '../../ui/page.tsx'
import { GettingStarted } from './getting-started.tsx'

export function Overview() {
  return (
    <Page title="Overview">
      <GettingStarted />
    </Page>
  )
}
