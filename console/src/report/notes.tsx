import {
  createAnnotation,
  type DataOf,
  deleteAnnotation,
  listAnnotations,
  updateAnnotation,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../api/profile.ts'
import { dayText, type Range, today } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { useReport } from './use-report.ts'

type Note = DataOf<typeof listAnnotations>[number]

/** Notes of the report's days, or of the given days. */
export function useNotes(days?: Range) {
  const { range } = useReport()
  const { from, to } = days ?? range
  return useProfileRead(listAnnotations, { query: { date_from: from, date_to: to } }, { keep: true })
}

/** Opens a dialog to list, add, edit and delete notes of the range. */
export function NotesButton({ days }: { days?: Range }) {
  const { range } = useReport()
  const { profile } = useProfileContext()
  const [open, setOpen] = useState(false)
  const [edited, setEdited] = useState<Note>()
  const notes = useNotes(days)
  const count = notes.data?.data.length ?? 0
  const now = today(profile.timezone)
  const last = (days ?? range).to
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {count === 0 ? 'Add note' : `Notes (${count})`}
      </Button>
      {open ? (
        <Dialog
          open
          onClose={() => setOpen(false)}
          title="Notes"
          note="What happened on a day: a sale, a new page, a broken checkout. Charts show it to everyone in this profile."
        >
          <Loaded query={notes}>
            {({ data }) => (
              <ul className="list">
                {data.map((note) => (
                  <NoteRow key={note.id} note={note} onEdit={() => setEdited(note)} />
                ))}
              </ul>
            )}
          </Loaded>
          <NoteForm
            key={edited?.id ?? 'new'}
            note={edited}
            day={last < now ? last : now}
            onDone={() => setEdited(undefined)}
          />
        </Dialog>
      ) : null}
    </>
  )
}

function NoteRow({ note, onEdit }: { note: Note; onEdit: () => void }) {
  const remove = useProfileWrite(deleteAnnotation, [listAnnotations])
  return (
    <li>
      <span className="grow">
        {note.text}
        <span className="sub">{dayText(note.day, true)}</span>
      </span>
      <Button small onClick={onEdit}>
        Edit<span className="sr-only"> the note {note.text}</span>
      </Button>
      <Button
        small
        kind="quiet"
        icon
        busy={remove.isPending}
        aria-label={`Delete the note ${note.text}`}
        onClick={() => remove.mutate({ params: { id: note.id } })}
      >
        <Icon name="close" size={16} />
      </Button>
    </li>
  )
}

function NoteForm({ note, day, onDone }: { note: Note | undefined; day: string; onDone: () => void }) {
  const create = useProfileWrite(createAnnotation, [listAnnotations])
  const update = useProfileWrite(updateAnnotation, [listAnnotations])
  const { values, bind, setValues } = useFields({ day: note?.day ?? day, text: note?.text ?? '' })
  const body = { day: values.day, text: values.text.trim() }
  const save = () => {
    if (note) update.mutate({ params: { id: note.id }, body }, { onSuccess: onDone })
    else create.mutate({ body }, { onSuccess: () => setValues({ day: values.day, text: '' }) })
  }
  return (
    <Form
      action={note ? 'Save note' : 'Add note'}
      write={note ? update : create}
      onSubmit={save}
      {...(note ? { onCancel: onDone } : {})}
      disabled={body.text === '' || body.day === ''}
    >
      <Field label="Day" type="date" required {...bind('day')} />
      <Field label="Note" maxLength={280} required {...bind('text')} />
    </Form>
  )
}
