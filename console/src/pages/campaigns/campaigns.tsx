import { useNavigate, useSearch } from '@tanstack/react-router'
import { rangeText } from '../../format/times.ts'
import { levelOptions } from '../../names/levels.ts'
import { modelNames } from '../../names/models.ts'
import { ReportControls } from '../../report/controls.tsx'
import { useReport } from '../../report/use-report.ts'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { AdsReport } from './ads-report.tsx'
import { DataDrivenCard } from './data-driven-card.tsx'
import { EntityPage } from './entity-page.tsx'
import { openIdOf } from './levels.ts'
import { ModelsTable } from './models-table.tsx'

/** The ads report at one of three levels, or the page of one campaign, ad set or ad. */
export function Campaigns() {
  const search = useSearch({ from: '/p/$profileId/campaigns' })
  const navigate = useNavigate({ from: '/p/$profileId/campaigns' })
  const { range, model } = useReport()
  const openId = openIdOf(search)
  if (openId) return <EntityPage id={openId} search={search} />
  const view = search.view ?? 'figures'
  const level = search.level ?? 'campaign'
  return (
    <Page
      title="Campaigns"
      note={`${rangeText(range.from, range.to)}. ${view === 'models' ? 'Revenue under each of the five models.' : modelNames[model].rule}`}
      actions={
        <>
          <Segmented
            label="View"
            value={view}
            options={[
              { value: 'figures', label: 'Figures' },
              { value: 'models', label: 'All five models' },
            ]}
            onChange={(next) =>
              void navigate({
                search: (before) => ({ ...before, view: next === 'models' ? next : undefined }),
                replace: true,
              })
            }
          />
          <ReportControls withModel={view === 'figures'} withCompare={view === 'figures'} />
        </>
      }
    >
      <Segmented
        label="Level"
        value={level}
        options={levelOptions}
        onChange={(next) =>
          void navigate({
            search: (before) => ({ ...before, level: next === 'campaign' ? undefined : next }),
            replace: true,
          })
        }
      />
      {view === 'models' ? (
        <>
          <ModelsTable key={level} level={level} />
          <DataDrivenCard />
        </>
      ) : (
        <AdsReport key={level} level={level} />
      )}
    </Page>
  )
}
