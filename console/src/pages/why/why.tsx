import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { explainConversion } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { money } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import { outcomeNoun } from '../../names/outcomes.ts'
import { ShareButton } from '../../report/share.tsx'
import { type Model, models } from '../../search.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Crumbs } from '../campaigns/crumbs.tsx'
import { usePath } from '../campaigns/use-path.ts'
import { Declared } from './declared.tsx'
import { ModelMatrix } from './model-matrix.tsx'
import { Timeline } from './timeline.tsx'

const from = '/p/$profileId/why/$conversionId'

/** One conversion's journey and its credit under each model. */
export function Why() {
  const { profile } = useProfileContext()
  const { conversionId } = useParams({ from })
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const explained = useProfileRead(explainConversion, {
    params: { id: conversionId },
    query: { model: 'all' },
  })
  const path = usePath(search)
  const model: Model = search.model ?? 'last_touch'
  const data = explained.data?.data
  return (
    <Page
      title={data ? `Why this ${outcomeNoun(data.outcome_type)}?` : 'Why?'}
      crumbs={
        search.source ? (
          <nav className="crumbs" aria-label="Path">
            {search.source === 'payments' ? (
              <Link to="/p/$profileId/payments" params={{ profileId: profile.id }}>
                Payments
              </Link>
            ) : (
              <Link to="/p/$profileId/unattributed" params={{ profileId: profile.id }}>
                Unattributed
              </Link>
            )}
          </nav>
        ) : (
          <Crumbs search={search} parents={path} />
        )
      }
      note={
        data
          ? `${data.value === null ? '' : `${money(data.value, data.currency ?? profile.currency)} on `}${instantText(data.occurred_at, profile.timezone)}`
          : ' '
      }
      actions={
        <>
          <Link
            to="/p/$profileId/customers"
            params={{ profileId: profile.id }}
            search={{ find: conversionId }}
            className={buttonClass()}
          >
            Show the person
          </Link>
          <Segmented
            label="Attribution model"
            value={model}
            options={models.map((value) => ({ value, label: modelNames[value].name }))}
            onChange={(next) =>
              void navigate({ search: (before) => ({ ...before, model: next }), replace: true })
            }
          />
          <ShareButton />
        </>
      }
    >
      <Loaded query={explained}>
        {({ data: conversion }) => {
          const explanation = conversion.models.find((candidate) => candidate.model === model)
          return (
            <>
              {conversion.attribution_eligible ? null : (
                <Notice tone="warn">Conversions of this kind are not credited to ads.</Notice>
              )}
              {explanation ? (
                <Card
                  title="Journey"
                  note={`${modelNames[model].rule} Lookback: ${explanation.lookback_days} days.`}
                >
                  <Timeline
                    conversion={conversion}
                    touches={explanation.touches}
                    earlier={conversion.steps}
                    timeZone={profile.timezone}
                    currency={profile.currency}
                  />
                </Card>
              ) : null}
              {conversion.declared_source ? (
                <Declared
                  answer={conversion.declared_source}
                  touches={explanation?.touches ?? []}
                  timeZone={profile.timezone}
                />
              ) : null}
              {conversion.refunds.map((refund) => (
                <Notice key={refund.refund_id}>
                  {money(refund.value, refund.currency)} was refunded on{' '}
                  {instantText(refund.occurred_at, profile.timezone)}. On that day, the refund reduces the
                  credit of the same touches by the same shares.
                </Notice>
              ))}
              <ModelMatrix
                models={conversion.models}
                hasValue={conversion.report_value !== null}
                currency={profile.currency}
                timeZone={profile.timezone}
              />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
