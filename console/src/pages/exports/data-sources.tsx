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
  photoapp_facebook_login_required: 'Connect the photo app again, through its page',
} as const

/** Where conversions come from and the dataset that takes them; in the mode Platform safe the clean one does. */
export function DataSources() {
  const sources = useProfileRead(listConversionDataSources)
  return (
    <Card title="Datasets" note="What the social platform gets of each source.">
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
  const [asking, setAsking] = useState(false)
  const set = useProfileWrite(setPlatformSafeTarget, [listConversionDataSources])
  const isSafe = catalog.data?.data.privacy_mode === 'platform_safe'
  if (!isTarget && !isSafe) return null
  const body = isTarget
    ? ({ target: 'existing', confirm_live_ad_sets: true } as const)
    : ({ target: 'clean_dataset' } as const)
  return (
    <>
      <Button small onClick={() => setAsking(true)}>
        {isTarget ? 'Leave it' : 'Use a clean dataset'}
      </Button>
      {asking ? (
        <Confirm
          title={isTarget ? 'Send to the existing dataset again?' : 'Send to a clean dataset?'}
          action={isTarget ? 'Leave the clean dataset' : 'Use a clean dataset'}
          onConfirm={() => set.mutateAsync({ body })}
          onClose={() => setAsking(false)}
        >
          {isTarget
            ? 'Conversions go to the dataset of the destination. Ad sets that deliver on the clean one learn nothing more.'
            : 'A dataset that has seen none of the website’s pages is made at the ad account, and conversions go there. Delivering ad sets keep the dataset they have.'}
        </Confirm>
      ) : null}
    </>
  )
}
