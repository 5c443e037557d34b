import { approveReport, downloadReport, getReportsHub } from '@whence/sdk'
import { useMemo } from 'react'
import { call, messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { saveFile } from '../../api/save-file.ts'
import { instantText, rangeText } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { HubQuery, Report } from './hub.ts'

const statusBadges: Record<Report['status'], { tone: Tone; label: string }> = {
  queued: { tone: 'accent', label: 'In progress' },
  ready: { tone: 'good', label: 'Ready' },
  awaiting_approval: { tone: 'warn', label: 'Needs approval' },
  sent: { tone: 'good', label: 'Sent' },
  failed: { tone: 'bad', label: 'Failed' },
  skipped: { tone: 'plain', label: 'Skipped' },
}

function badgeOf(report: Report): { tone: Tone; label: string } {
  const isHeld = report.status === 'queued' && report.reason === 'data_stale'
  if (isOnlyWritten(report)) return { tone: 'warn', label: 'No mail server' }
  return isHeld ? { tone: 'warn', label: 'Held' } : statusBadges[report.status]
}

/** Without a mail server a mail is a file on the server. */
export const isOnlyWritten = ({ status, reason }: Report) => status === 'sent' && reason === 'no_mail_server'

function sentText(report: Report): string {
  const { total, sent, unsubscribed, failed } = report.recipients
  if (total === 0) return 'Download only'
  if (isOnlyWritten(report)) return 'Not sent: no mail server'
  const details = [
    unsubscribed > 0 ? `${unsubscribed} unsubscribed` : '',
    failed > 0 ? `${failed} not delivered` : '',
  ].filter(Boolean)
  return [`${sent} of ${total} sent`, ...details].join(', ')
}

export function ReportTable({ hub, isAdmin }: { hub: HubQuery; isAdmin: boolean }) {
  const { workspace } = useProfileContext()
  const approve = useWrite(approveReport, [getReportsHub])
  const toast = useToast()
  const columns = useMemo((): Column<Report>[] => {
    const paramsOf = (report: Report) => ({ workspaceId: workspace.id, reportId: report.id })
    const download = (report: Report) =>
      call(downloadReport, { params: paramsOf(report) }).then(
        (content) =>
          saveFile(`${report.profile_name} ${report.date_from} ${report.date_to}.${report.format}`, content),
        (error: unknown) => toast(messageOf(error)),
      )
    return [
      {
        id: 'profile',
        label: 'Profile',
        value: (report) => report.profile_name,
        cell: (report) => (
          <>
            {report.profile_name}
            <span className="sub">{rangeText(report.date_from, report.date_to)}</span>
          </>
        ),
      },
      {
        id: 'status',
        label: 'Status',
        value: (report) => badgeOf(report).label,
        cell: (report) => (
          <>
            <Badge tone={badgeOf(report).tone}>{badgeOf(report).label}</Badge>
            {report.detail ? <span className="sub wrapped">{report.detail}</span> : null}
          </>
        ),
      },
      {
        id: 'format',
        label: 'Format',
        cell: (report) => (
          <>
            {report.format === 'html' ? 'Web page' : report.format.toUpperCase()}
            <span className="sub">{report.language === 'es' ? 'Spanish' : 'English'}</span>
          </>
        ),
      },
      { id: 'mail', label: 'Email', cell: sentText },
      {
        id: 'created',
        label: 'Created',
        value: (report) => report.created_at,
        cell: (report) => (
          <>
            {instantText(report.created_at)}
            <span className="sub">{report.is_scheduled ? 'Scheduled' : 'On request'}</span>
          </>
        ),
      },
      {
        id: 'actions',
        label: 'Actions',
        cell: (report) => (
          <span className="toolbar">
            {report.download_url === null ? null : (
              <Button
                small
                onClick={() => void download(report)}
                aria-label={`Download the report of ${report.profile_name}`}
              >
                Download
              </Button>
            )}
            {isAdmin && report.status === 'awaiting_approval' ? (
              <Button
                small
                kind="primary"
                onClick={() =>
                  approve.mutate(
                    { params: paramsOf(report), body: {} },
                    {
                      onSuccess: () => toast('Approved. The report is being sent'),
                      onError: (error) => toast(messageOf(error)),
                    },
                  )
                }
                aria-label={`Approve the report of ${report.profile_name}`}
              >
                Approve and send
              </Button>
            ) : null}
          </span>
        ),
      },
    ]
  }, [workspace.id, isAdmin, approve.mutate, toast])
  return (
    <TableCard
      title="Reports"
      note="The newest 200 of the profiles you have access to."
      query={hub}
      rows={({ data }) => data.reports}
      columns={columns}
      rowKey={(report) => report.id}
      empty={() => (
        <Empty icon="download" title="No reports yet">
          Create one above. It appears here for download, with its recipients.
        </Empty>
      )}
    />
  )
}
