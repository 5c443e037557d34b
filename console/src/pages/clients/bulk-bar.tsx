import { generateReports, getReportsHub, listClients, tagClients } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useToast } from '../../ui/toast.tsx'
import { formatOptions, languageOptions, periodOptions } from '../client-reports/options.ts'

type Report = NonNullable<Parameters<ReturnType<typeof useGenerate>['mutate']>[0]['body']>
const useGenerate = () => useWrite(generateReports, [getReportsHub, listClients])

/** Actions on the selected clients. */
export function BulkBar({
  profileIds,
  tags,
  onClear,
}: {
  profileIds: string[]
  /** Tags of the selected clients. */
  tags: readonly string[]
  onClear: () => void
}) {
  const { workspace } = useProfileContext()
  const isAdmin = workspace.role === 'owner' || workspace.role === 'admin'
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected clients">
      <strong>{plural(profileIds.length, 'client')} selected</strong>
      {isAdmin ? <CreateReports profileIds={profileIds} /> : null}
      <AddTag profileIds={profileIds} />
      {tags.map((tag) => (
        <RemoveTag key={tag} tag={tag} profileIds={profileIds} />
      ))}
      <Button small onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}

function CreateReports({ profileIds }: { profileIds: string[] }) {
  const { workspace } = useProfileContext()
  const [open, setOpen] = useState(false)
  const generate = useGenerate()
  const toast = useToast()
  const { values, bind } = useFields({ period: 'last_month', format: 'pdf', language: 'en' })
  const submit = () =>
    generate.mutate(
      { params: { workspaceId: workspace.id }, body: { profile_ids: profileIds, ...(values as Report) } },
      {
        onSuccess: ({ data }) => {
          toast(`${plural(data.reports.length, 'report')} being created; see Client reports`)
          setOpen(false)
        },
      },
    )
  return (
    <Popover
      label="Create reports"
      className="filter-form"
      align="start"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button small kind="primary">
          Create reports
        </Button>
      }
    >
      <Form action={`Create ${plural(profileIds.length, 'report')}`} write={generate} onSubmit={submit}>
        <Choice label="Period" options={periodOptions} {...bind('period')} />
        <div className="form-row">
          <Choice label="Format" options={formatOptions} {...bind('format')} />
          <Choice label="Language" options={languageOptions} {...bind('language')} />
        </div>
      </Form>
    </Popover>
  )
}

function useTag() {
  const { workspace } = useProfileContext()
  const write = useWrite(tagClients, [listClients])
  const change = (
    body: { profile_ids: string[]; add?: string[]; remove?: string[] },
    options?: { onSuccess: () => void },
  ) => write.mutate({ params: { workspaceId: workspace.id }, body }, options)
  return { write, change }
}

function AddTag({ profileIds }: { profileIds: string[] }) {
  const [open, setOpen] = useState(false)
  const { write, change } = useTag()
  const { values, bind, setValues } = useFields({ tag: '' })
  const submit = () =>
    change(
      { profile_ids: profileIds, add: [values.tag.trim()] },
      {
        onSuccess: () => {
          setValues({ tag: '' })
          setOpen(false)
        },
      },
    )
  return (
    <Popover
      label="Add a tag"
      className="filter-form"
      align="start"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button small>Add tag</Button>}
    >
      <Form action="Add tag" write={write} onSubmit={submit}>
        <Field label="Tag" placeholder="Retail" maxLength={40} required {...bind('tag')} />
      </Form>
    </Popover>
  )
}

function RemoveTag({ tag, profileIds }: { tag: string; profileIds: string[] }) {
  const { write, change } = useTag()
  return (
    <Button
      small
      busy={write.isPending}
      onClick={() => change({ profile_ids: profileIds, remove: [tag] })}
    >{`Remove “${tag}”`}</Button>
  )
}
