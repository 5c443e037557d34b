import { useNavigate, useSearch } from '@tanstack/react-router'
import { rangeText } from '../../format/times.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { useReport } from '../../report/use-report.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Linkage } from './linkage.tsx'
import { PaymentList } from './payment-list.tsx'

export function Payments() {
  const { tab = 'payments' } = useSearch({ from: '/p/$profileId/payments' })
  const navigate = useNavigate({ from: '/p/$profileId/payments' })
  const { range } = useReport()
  return (
    <Page
      title="Payments"
      note={`${rangeText(range.from, range.to)}. The payments behind revenue, ROAS and CAC.`}
      actions={<ReportControls withModel={tab === 'linkage'} />}
    >
      <ReportHealth payments />
      <Tabs
        label="Payments"
        value={tab}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        tabs={[
          { value: 'payments', label: 'All payments', content: <PaymentList status="all" /> },
          { value: 'unidentified', label: 'Without a payer', content: <PaymentList status="unidentified" /> },
          { value: 'linkage', label: 'How they reached an ad', content: <Linkage /> },
        ]}
      />
    </Page>
  )
}
