import { useNavigate, useSearch } from '@tanstack/react-router'
import { getUnattributed, listCampaigns } from '@whence/server/features/reports/contract.ts'
import { inProfile, usePlace, useProfileRead } from '../../api/profile.ts'
import { usePages } from '../../api/queries.ts'
import { Caveats, metaOf } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { download, toCsv } from './csv.ts'
import { figureColumns } from './figure-columns.tsx'
import { FiguresFoot, type Total } from './figures-foot.tsx'
import type { Level } from './levels.ts'
import { Reconciliation } from './reconciliation.tsx'

const ROWS_AT_ONCE = 100

export function FiguresTable({
  place,
}: {
  place: { openId: string | undefined; level: Level; noun: string }
}) {
  const { profile } = usePlace()
  const { query, range, model } = useReport()
  const search = useSearch({ from: '/p/$profileId/campaigns' })
  const navigate = useNavigate({ from: '/p/$profileId/campaigns' })
  const { level, openId } = place
  const parent = openId ? { parent_id: openId } : {}
  const pages = usePages(
    listCampaigns,
    inProfile({ query: { ...query, level, limit: String(ROWS_AT_ONCE), ...parent } }, profile.id),
  )
  const first = pages.data?.pages[0]
  const shown = pages.data?.pages.flatMap((page) => page.data) ?? []
  const rowCount = first ? Number(first.meta?.total_rows) : 0
  const rest = useProfileRead(getUnattributed, { query: { ...query, level } }, { keep: true })
  const columns = figureColumns(level, profile.currency, model === 'linear' || model === 'time_decay')
  /** All rows, also those that are not shown yet. */
  const save = async () => {
    let all = pages.data
    for (let more = pages.hasNextPage; more; ) {
      const next = await pages.fetchNextPage()
      if (next.isError) return
      all = next.data
      more = next.hasNextPage
    }
    download(
      `${profile.name} ${level} ${model} ${range.from} ${range.to}.csv`,
      toCsv(all?.pages.flatMap((page) => page.data) ?? [], rest.data?.data, profile.currency),
    )
  }
  return (
    <>
      {first ? <Caveats meta={metaOf(first)} /> : null}
      <Card
        title={`${place.noun.charAt(0).toUpperCase()}${place.noun.slice(1)}s`}
        note={shown.length < rowCount ? `The first ${shown.length} of ${rowCount} by revenue` : undefined}
        actions={
          <Button small onClick={() => void save()} disabled={!first}>
            <Icon name="download" size={15} />
            Download CSV
          </Button>
        }
        foot={first ? <Reconciliation meta={metaOf(first)} level={level} /> : undefined}
        flush
      >
        <Loaded query={pages}>
          {() => (
            <>
              <DataTable
                label={`${place.noun}s`}
                columns={columns}
                rows={shown}
                rowKey={(row) => row.campaign_id}
                sort={{ id: search.sort ?? 'revenue', descending: !search.up }}
                onSort={({ id, descending }) =>
                  void navigate({
                    search: (before) => ({ ...before, sort: id, up: descending ? undefined : true }),
                    replace: true,
                  })
                }
                foot={
                  <FiguresFoot
                    rows={shown.length < rowCount ? undefined : shown}
                    total={first?.total as Total}
                    rest={rest.data?.data}
                    openId={openId}
                    noun={place.noun}
                    columns={columns.map(({ id }) => id)}
                  />
                }
                linked
              />
              {pages.hasNextPage ? (
                <div className="card-foot more">
                  <p role="status">
                    The first {shown.length} of {rowCount} are shown. The last lines count all of them.
                  </p>
                  <Button small busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                    Show more
                  </Button>
                </div>
              ) : null}
              {shown.length === 0 ? (
                <Empty icon="campaigns" title={`No ${place.noun} ran or earned in these days`}>
                  Choose other dates, or connect an ad account.
                </Empty>
              ) : null}
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}
