import {
  type ConversionDataSource,
  getConversionSyncCatalog,
  listConversionDataSources,
  setPlatformSafeTarget,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const names = {
  website: 'Website',
  crm: 'CRM',
  chatapp: 'Chat app',
  photoapp: 'Photo app',
  clean_dataset: 'Clean dataset',
} as const
const obstacles = {
  chatapp_not_connected: 'Connect the chat app first',
  photoapp_not_connected: 'Connect the photo app first',
  photoapp_facebook_login_required: 'Reconnect the photo app through its page',
} as const

/** The dataset that each source's conversions are sent to; in Platform safe mode, the clean dataset. */
export function DataSources() {
  const sources = useProfileRead(listConversionDataSources)
  return (
    <Card title="Datasets" note="Where Meta receives each source’s conversions.">
      <Loaded query={sources}>
        {({ data }) => (
          <ul className="list">
            {data.map((source) => (
              <SourceRow key={source.kind} source={source} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function SourceRow({ source }: { source: ConversionDataSource }) {
  const { kind, dataset_id, is_target, reason_code } = source
  const note = reason_code === null ? (dataset_id ?? 'No dataset yet') : obstacles[reason_code]
  return (
    <li>
      <span className="grow">
        <strong>{names[kind]}</strong>
        <span className="sub">{note}</span>
      </span>
      <Badge tone={is_target ? 'good' : 'plain'}>{is_target ? 'In use' : 'Not in use'}</Badge>
      {kind === 'clean_dataset' ? <CleanDataset isTarget={is_target} /> : null}
    </li>
  )
}

function CleanDataset({ isTarget }: { isTarget: boolean }) {
  const catalog = useProfileRead(getConversionSyncCatalog)
  const [confirming, setConfirming] = useState(false)
  const set = useProfileWrite(setPlatformSafeTarget, [listConversionDataSources])
  const isSafe = catalog.data?.data.privacy_mode === 'platform_safe'
  if (!isTarget && !isSafe) return null
  const body = isTarget
    ? ({ target: 'existing', confirm_live_ad_sets: true } as const)
    : ({ target: 'clean_dataset' } as const)
  return (
    <>
      <Button small onClick={() => setConfirming(true)}>
        {isTarget ? 'Stop using it' : 'Use a clean dataset'}
      </Button>
      {confirming ? (
        <Confirm
          title={isTarget ? 'Send to the existing dataset again?' : 'Send to a clean dataset?'}
          action={isTarget ? 'Stop using the clean dataset' : 'Use a clean dataset'}
          onConfirm={() => set.mutateAsync({ body })}
          onClose={() => setConfirming(false)}
        >
          {isTarget
            ? 'Conversions are sent to the destination’s dataset. Ad sets that use the clean dataset receive no more conversions.'
            : 'A new dataset without any of the website’s pages is created in the ad account, and conversions are sent there. Running ad sets keep their current dataset.'}
        </Confirm>
      ) : null}
    </>
  )
}
