import { type DataOf, deleteView, listSavedViews, saveView } from '@whence/sdk'
import { useEffect, useRef, useState } from 'react'
import { readStored, remember } from '../../api/browser-storage.ts'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import type { CampaignSearch } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Search parameters of a view: all but the dates, so that it stays useful tomorrow. */
const viewKeys = ['level', 'q', 'where', 'status', 'platform', 'cols', 'sort', 'up'] as const
export type View = Pick<CampaignSearch, (typeof viewKeys)[number]>
type SavedView = DataOf<typeof listSavedViews>[number]
type Values = SavedView['values']

/** Only values that are set, in a fixed order, so that two views can be compared as JSON. */
function valuesOf(view: object): Values {
  const allValues = view as Record<string, string | boolean | undefined>
  return Object.fromEntries(
    viewKeys.flatMap((key) => (allValues[key] === undefined ? [] : [[key, allValues[key]] as const])),
  )
}

/** Menu of saved views: the person's own and those shared by others. */
export function SavedViews({ search, onOpen }: { search: CampaignSearch; onOpen: (view: View) => void }) {
  const views = useProfileRead(listSavedViews, { query: { page: 'campaigns' } }).data?.data ?? []
  const remove = useProfileWrite(deleteView, [listSavedViews])
  const [naming, setNaming] = useState(false)
  const values = valuesOf(search)
  const isCurrent = (view: SavedView) => JSON.stringify(valuesOf(view.values)) === JSON.stringify(values)
  const current = views.find(isCurrent)
  useViewMigration()
  const open = (view: SavedView) => {
    const cleared = Object.fromEntries(viewKeys.map((key) => [key, undefined]))
    onOpen({ ...cleared, ...view.values } as View)
  }
  const group = (isOwn: boolean, label: string) => {
    const listed = views.filter((view) => view.own === isOwn)
    if (listed.length === 0) return null
    return (
      <>
        <MenuLabel>{label}</MenuLabel>
        {listed.map((view) => (
          <MenuItem key={view.id} onSelect={() => open(view)}>
            <span className="grow">
              {view.name}
              {isOwn && view.shared ? ' (shared)' : ''}
            </span>
            {view === current ? <Icon name="check" size={16} /> : null}
          </MenuItem>
        ))}
        <MenuSeparator />
      </>
    )
  }
  return (
    <>
      <Menu
        trigger={
          <Button small>
            {current?.name ?? 'Views'}
            <Icon name="down" size={14} />
          </Button>
        }
      >
        {group(true, 'Your views')}
        {group(false, 'Shared with you')}
        <MenuItem onSelect={() => setNaming(true)}>
          <Icon name="plus" size={16} />
          Save this view
        </MenuItem>
        {current?.removable ? (
          <MenuItem danger onSelect={() => remove.mutate({ params: { id: current.id } })}>
            <Icon name="close" size={16} />
            Delete {current.name}
          </MenuItem>
        ) : null}
      </Menu>
      {naming ? <NameView values={values} onClose={() => setNaming(false)} /> : null}
    </>
  )
}

/** Views that earlier releases stored in this browser move to the server, once. */
function useViewMigration(): void {
  const { profile } = useProfileContext()
  const { mutateAsync } = useProfileWrite(saveView, [listSavedViews])
  const moved = useRef(false)
  useEffect(() => {
    const stored = readStored(`views.${profile.id}`)
    if (stored === null || moved.current) return
    moved.current = true
    moveViews(stored, (name, values) => mutateAsync({ body: { name, values, shared: false } }))
      .then(() => remember(`views.${profile.id}`, null))
      .catch(() => {})
  }, [profile.id, mutateAsync])
}

async function moveViews(
  stored: string,
  save: (name: string, values: Values) => Promise<unknown>,
): Promise<void> {
  const all: unknown = JSON.parse(stored)
  for (const entry of Array.isArray(all) ? (all as { name: string; view: object }[]) : [])
    await save(entry.name.slice(0, 60), valuesOf(entry.view))
}

function NameView({ values: view, onClose }: { values: Values; onClose: () => void }) {
  const { values, bind } = useFields({ name: '' })
  const [shared, setShared] = useState(false)
  const write = useProfileWrite(saveView, [listSavedViews])
  const toast = useToast()
  const name = values.name.trim()
  const save = () =>
    write.mutate(
      { body: { name, values: view, shared } },
      {
        onSuccess: () => {
          onClose()
          toast(`View ${name} saved`)
        },
      },
    )
  return (
    <Dialog open onClose={onClose} title="Save this view" note="Level, filters, columns and order.">
      <Form action="Save view" write={write} onSubmit={save} onCancel={onClose} disabled={name === ''}>
        <Field label="Name" maxLength={60} {...bind('name')} required />
        <Check
          label="Share with everyone in this profile"
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
        />
      </Form>
    </Dialog>
  )
}
