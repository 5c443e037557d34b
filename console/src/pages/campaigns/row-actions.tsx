import {
  getCampaign,
  getCampaignStatus,
  listCampaigns,
  pauseAd,
  pauseAdSet,
  pauseCampaign,
  resumeAd,
  resumeAdSet,
  resumeCampaign,
  setAdSetBudget,
  setCampaignBudget,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { type Level, levelNouns } from '../../names/levels.ts'
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
  platform_actions?: readonly ('pause' | 'resume' | 'budget')[] | undefined
  daily_budget?: number | null | undefined
  status?: string | null | undefined
}

function NoActions({ status }: { status: string | null | undefined }) {
  const isOver = /archived|deleted|removed/i.test(status ?? '')
  return (
    <Button
      disabled
      title={
        isOver
          ? 'It is archived or deleted at the platform.'
          : 'No connected ad account contains it. Change it at the platform.'
      }
    >
      Change at the platform
    </Button>
  )
}

/** Changes that the platform accepts now. An imported campaign has none; its page explains why. */
export function RowActions({ row, level, wide }: { row: Actionable; level: Level; wide?: boolean }) {
  const [openDialog, setOpenDialog] = useState<'status' | 'budget' | null>(null)
  const actions = row.platform_actions ?? []
  if (actions.length === 0) return wide ? <NoActions status={row.status} /> : null
  const name = row.campaign_name ?? row.platform_id
  const close = () => setOpenDialog(null)
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
        <MenuItem onSelect={() => setOpenDialog('status')}>{isPaused(row) ? 'Resume' : 'Pause'}</MenuItem>
        {actions.includes('budget') ? (
          <MenuItem onSelect={() => setOpenDialog('budget')}>Change the budget</MenuItem>
        ) : null}
      </Menu>
      {openDialog === 'status' ? <StatusDialog row={row} level={level} name={name} onClose={close} /> : null}
      {openDialog === 'budget' && level !== 'ad' ? (
        <BudgetDialog row={row} level={level} onClose={close} />
      ) : null}
    </>
  )
}

const isPaused = (row: Actionable) => row.platform_actions?.includes('resume') ?? false

const statusWrites = {
  campaign: { pause: pauseCampaign, resume: resumeCampaign },
  ad_set: { pause: pauseAdSet, resume: resumeAdSet },
  ad: { pause: pauseAd, resume: resumeAd },
} as const

function StatusDialog({
  row,
  level,
  name,
  onClose,
}: {
  row: Actionable
  level: Level
  name: string
  onClose: () => void
}) {
  const paused = isPaused(row)
  const reports = [listCampaigns, getCampaign]
  const pause = useProfileWrite(statusWrites[level].pause, reports)
  const resume = useProfileWrite(statusWrites[level].resume, reports)
  // `change` keeps this pair for the undo, although the row has its new status once the report reloads.
  const [write, back] = paused ? [resume, pause] : [pause, resume]
  const toast = useToast()
  const input = { params: { id: row.platform_id } }
  const change = async () => {
    const { data } = await write.mutateAsync(input)
    // If it was already changed at the platform, there is nothing to undo.
    toast(
      `${name} is ${paused ? 'running' : 'paused'}`,
      'good',
      data.outcome === 'changed' ? () => back.mutateAsync(input) : undefined,
    )
  }
  return (
    <Confirm
      title={`${paused ? 'Resume' : 'Pause'} ${name}?`}
      action={`${paused ? 'Resume' : 'Pause'} ${levelNouns[level]}`}
      onConfirm={change}
      onClose={onClose}
    >
      {paused ? 'It starts spending again immediately.' : 'It stops spending at the platform immediately.'}{' '}
      You can undo this. It is logged under Settings, Activity.
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
  // The platform's current budget: it may have changed there since the last sync.
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
      note="In the currency of the ad account. The platform applies it immediately."
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
