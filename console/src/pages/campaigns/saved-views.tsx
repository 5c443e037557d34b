import { useState } from 'react'
import { usePlace } from '../../api/profile.ts'
import { recall, remember } from '../../api/remembered.ts'
import type { CampaignSearch } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

/** What a view is made of: everything but the dates, so that it is as good tomorrow. */
const kept = ['level', 'q', 'where', 'status', 'platform', 'cols', 'sort', 'up'] as const
export type View = Pick<CampaignSearch, (typeof kept)[number]>
type Saved = { name: string; view: View }

function readViews(profileId: string): Saved[] {
  try {
    const found: unknown = JSON.parse(recall(`views.${profileId}`) ?? '[]')
    return Array.isArray(found) ? (found as Saved[]) : []
  } catch {
    return []
  }
}

/** Views by name, kept in this browser; the address of one can be sent to anybody. */
export function SavedViews({ search, onOpen }: { search: CampaignSearch; onOpen: (view: View) => void }) {
  const { profile } = usePlace()
  const [views, setViews] = useState(() => readViews(profile.id))
  const [naming, setNaming] = useState(false)
  const toast = useToast()
  const save = (next: Saved[]) => {
    setViews(next)
    remember(`views.${profile.id}`, next.length === 0 ? null : JSON.stringify(next))
  }
  const view: View = Object.fromEntries(kept.map((key) => [key, search[key]]))
  const current = views.find((one) => JSON.stringify(one.view) === JSON.stringify(view))
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
        <MenuLabel>Views in this browser</MenuLabel>
        {views.map((one) => (
          <MenuItem key={one.name} onSelect={() => onOpen(one.view)}>
            <span className="grow">{one.name}</span>
            {one === current ? <Icon name="check" size={16} /> : null}
          </MenuItem>
        ))}
        {views.length > 0 ? <MenuSeparator /> : null}
        <MenuItem onSelect={() => setNaming(true)}>
          <Icon name="plus" size={16} />
          Save this view
        </MenuItem>
        {current ? (
          <MenuItem danger onSelect={() => save(views.filter((one) => one !== current))}>
            <Icon name="close" size={16} />
            Delete {current.name}
          </MenuItem>
        ) : null}
      </Menu>
      {naming ? (
        <NameView
          onClose={() => setNaming(false)}
          onName={(name) => {
            save([...views.filter((one) => one.name !== name), { name, view }])
            setNaming(false)
            toast(`View ${name} saved in this browser`)
          }}
        />
      ) : null}
    </>
  )
}

function NameView({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }) {
  const { values, bind } = useFields({ name: '' })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save this view"
      note="Level, filters, columns and order. It is kept in this browser; to share it, send the page’s address."
    >
      <Form
        action="Save view"
        write={{ isPending: false, error: null }}
        onSubmit={() => onName(values.name.trim())}
        onCancel={onClose}
        disabled={values.name.trim() === ''}
      >
        <Field label="Name" maxLength={60} {...bind('name')} required />
      </Form>
    </Dialog>
  )
}
