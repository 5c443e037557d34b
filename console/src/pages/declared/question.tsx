import { Link } from '@tanstack/react-router'
import {
  getDeclaredVocabulary,
  listTrackingKeys,
  saveDeclaredVocabulary,
  type VocabularyEntry,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { basePath } from '../../base-path.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { snippetFor } from './snippet.ts'

/** The answers to choose from, and the ways to ask the question. */
export function Question() {
  const { profile } = useProfileContext()
  const vocabulary = useProfileRead(getDeclaredVocabulary)
  const keys = useProfileRead(listTrackingKeys)
  const write = useProfileWrite(saveDeclaredVocabulary, [getDeclaredVocabulary])
  const [adding, setAdding] = useState(false)
  const toast = useToast()
  const key = keys.data?.data[0]?.key
  const save = (entries: readonly VocabularyEntry[], done = () => {}) =>
    write.mutate(
      { body: { entries: entries.filter(({ is_own }) => is_own).map(({ is_own: _, ...entry }) => entry) } },
      {
        onSuccess: () => {
          done()
          toast('Saved')
        },
      },
    )
  return (
    <Loaded query={vocabulary}>
      {({ data: { entries } }) => (
        <>
          {key === undefined ? (
            <Card
              title="Ask your customers"
              note="The link and the snippet contain this profile’s tracking key. Create one first."
              actions={
                <Link
                  to="/p/$profileId/tracking"
                  params={{ profileId: profile.id }}
                  className={buttonClass({ kind: 'primary' })}
                >
                  Create a key
                </Link>
              }
              flush
            >
              <span className="card-end" />
            </Card>
          ) : (
            <Card
              title="Ask your customers"
              note="Add the link to your order emails, with the order’s id. Or paste the snippet into your thank-you page, below the tracker."
            >
              <div className="stack">
                <CodeBlock text={`${location.origin}${basePath}/ask/${key}?order_id=ORDER_ID`} />
                <CodeBlock text={snippetFor(entries)} />
              </div>
            </Card>
          )}
          <Card
            title="Answers to choose from"
            note="In English and Spanish. The hosted page, the snippet and the API use the same list."
            actions={
              <Button onClick={() => setAdding(true)}>
                <Icon name="plus" size={16} />
                Add answer
              </Button>
            }
            flush
          >
            <ul className="list tiles">
              {entries.map((entry) => (
                <li key={entry.key}>
                  <span className="grow">
                    <strong>{entry.label_en}</strong>
                    <span className="sub">
                      {entry.label_es} · <code>{entry.key}</code>
                    </span>
                  </span>
                  {entry.is_own ? (
                    <Button
                      small
                      busy={write.isPending}
                      onClick={() => save(entries.filter((other) => other !== entry))}
                    >
                      Remove<span className="sr-only"> {entry.label_en}</span>
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          </Card>
          {adding ? (
            <NewAnswer
              write={write}
              onClose={() => setAdding(false)}
              onAdd={(added) => save([...entries, added], () => setAdding(false))}
            />
          ) : null}
        </>
      )}
    </Loaded>
  )
}

function NewAnswer({
  write,
  onClose,
  onAdd,
}: {
  write: { isPending: boolean; error: unknown }
  onClose: () => void
  onAdd: (entry: VocabularyEntry) => void
}) {
  const { values, bind } = useFields({ label_en: '', label_es: '' })
  const key = values.label_en
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_$/g, '')
    .slice(0, 50)
  return (
    <Dialog open onClose={onClose} title="Add an answer">
      <Form
        action="Save answer"
        write={write}
        onCancel={onClose}
        disabled={key === '' || values.label_es.trim() === ''}
        onSubmit={() => onAdd({ key, ...values, channels: [], is_own: true })}
      >
        <Field label="In English" required maxLength={80} {...bind('label_en')} />
        <Field label="In Spanish" required maxLength={80} {...bind('label_es')} />
      </Form>
    </Dialog>
  )
}
