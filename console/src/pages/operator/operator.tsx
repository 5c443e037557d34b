import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { getMe, getOperatorStatus } from '@whence/sdk'
import { useRead } from '../../api/queries.ts'
import { PageMissing } from '../../shell/failures.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OperatorLog } from './operator-log.tsx'
import { kindNames } from './problem-kinds.ts'
import { Problems } from './problems.tsx'
import { Lag, Processes } from './status.tsx'

const REFRESH_MS = 5000

/** Status of the whole service, for operators. For others the page is not found, and the API rejects them too. */
export function Operator() {
  const me = useRead(getMe)
  if (me.isError && !me.data)
    return (
      <main className="gate">
        <Failure error={me.error} retry={() => void me.refetch()} />
      </main>
    )
  if (!me.data) return <div className="boot" role="status" aria-label="Loading Whence" />
  return me.data.data.is_operator ? <OperatorPage /> : <PageMissing />
}

function OperatorPage() {
  const { tab = 'processes' } = useSearch({ from: '/operator' })
  const navigate = useNavigate({ from: '/operator' })
  const status = useRead(getOperatorStatus, {}, { every: REFRESH_MS })
  const problemTab = (kind: keyof typeof kindNames) => ({
    value: kind,
    label: kindNames[kind],
    content: <Problems kind={kind} />,
  })
  return (
    <main className="main" id="main">
      <Page
        title="Operator"
        note="How far processing is behind, and failures that only you can retry or drop. No customer data is shown here."
        actions={
          <Link to="/" className={buttonClass()}>
            Go to reports
          </Link>
        }
      >
        <Loaded query={status}>{({ data }) => <Lag status={data} />}</Loaded>
        <Tabs
          label="Operator"
          value={tab}
          onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
          tabs={[
            { value: 'processes', label: 'Processes', content: <Processes query={status} /> },
            problemTab('dead-jobs'),
            problemTab('quarantined-events'),
            problemTab('stuck-deliveries'),
            { value: 'log', label: 'Log', content: <OperatorLog /> },
          ]}
        />
      </Page>
    </main>
  )
}
