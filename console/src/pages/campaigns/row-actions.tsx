import {
  getCampaignStatus,
  pauseCampaign,
  resumeCampaign,
  setAdSetBudget,
  setCampaignBudget,
} from '@whence/server/features/campaigns/contract.ts'
import { getCampaign, listCampaigns } from '@whence/server/features/reports/contract.ts'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import type { Level } from '../../names/levels.ts'
import { sentence } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

export type Actionable = {
  platform_id: string
  campaign_name: string | null
  status?: string | null | undefined
  daily_budget?: number | null | undefined
}

/** What can be changed at the platform without leaving the report; ads have nothing. */
export function RowActions({ row, level, wide }: { row: Actionable; level: Level; wide?: boolean }) {
  const [asking, setAsking] = useState<'status' | 'budget' | null>(null)
  if (level === 'ad') return null
  const name = row.campaign_name ?? row.platform_id
  const close = () => setAsking(null)
  return (
    <>
      <Menu
        trigger={
          wide ? (
            <Button>
              Change at the platform
              <Icon name="down" size={14} />
            </Button>
          ) : (
            <Button kind="quiet" icon small aria-label={`Actions for ${name}`}>
              <Icon name="more" />
            </Button>
          )
        }
      >
        {level === 'campaign' ? (
          <MenuItem onSelect={() => setAsking('status')}>{isPaused(row) ? 'Resume' : 'Pause'}</MenuItem>
        ) : null}
        <MenuItem onSelect={() => setAsking('budget')}>Change the budget</MenuItem>
      </Menu>
      {asking === 'status' ? <StatusDialog row={row} name={name} onClose={close} /> : null}
      {asking === 'budget' ? <BudgetDialog row={row} level={level} onClose={close} /> : null}
    </>
  )
}

const isPaused = (row: Actionable) => row.status === 'PAUSED'

function StatusDialog({ row, name, onClose }: { row: Actionable; name: string; onClose: () => void }) {
  const pause = useProfileWrite(pauseCampaign, [listCampaigns, getCampaign])
  const resume = useProfileWrite(resumeCampaign, [listCampaigns, getCampaign])
  const toast = useToast()
  const paused = isPaused(row)
  const change = () => (paused ? resume : pause).mutateAsync({ params: { id: row.platform_id } })
  return (
    <Confirm
      title={`${paused ? 'Resume' : 'Pause'} ${name}?`}
      action={paused ? 'Resume campaign' : 'Pause campaign'}
      onConfirm={() => change().then(() => toast(`${name} is ${paused ? 'running' : 'paused'}`))}
      onClose={onClose}
    >
      {paused ? 'It starts to spend again at once.' : 'It stops spending at the platform at once.'}
    </Confirm>
  )
}

function BudgetDialog({
  row,
  level,
  onClose,
}: {
  row: Actionable
  level: 'campaign' | 'ad_set'
  onClose: () => void
}) {
  // What the platform says now; the report may be a sync behind.
  const live = useProfileRead(
    getCampaignStatus,
    { params: { id: row.platform_id } },
    { enabled: level === 'campaign' },
  ).data?.data
  const { values, bind } = useFields({ budget: row.daily_budget == null ? '' : String(row.daily_budget) })
  const ofCampaign = useProfileWrite(setCampaignBudget, [listCampaigns, getCampaign])
  const ofAdSet = useProfileWrite(setAdSetBudget, [listCampaigns, getCampaign])
  const write = level === 'campaign' ? ofCampaign : ofAdSet
  const toast = useToast()
  const submit = () =>
    write.mutate(
      { params: { id: row.platform_id }, body: { daily_budget: values.budget } },
      {
        onSuccess: ({ data }) => {
          toast(`Daily budget is ${data.budget} ${data.currency}`)
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Daily budget of ${row.campaign_name ?? row.platform_id}`}
      note="In the currency of the ad account. The platform applies it at once."
    >
      <Form action="Set budget" write={write} onSubmit={submit} onCancel={onClose}>
        <Field
          label="Per day"
          hint={
            live
              ? `At the platform now: ${live.daily_budget ?? 'no daily budget'}${live.currency ? ` ${live.currency}` : ''}, ${sentence(live.status.toLowerCase())}`
              : undefined
          }
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]+)?"
          title="A decimal number such as 12.50"
          {...bind('budget')}
          required
        />
      </Form>
    </Dialog>
  )
}
