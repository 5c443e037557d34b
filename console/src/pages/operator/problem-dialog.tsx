import {
  dropProblem,
  getOperatorStatus,
  getProblem,
  listOperatorActions,
  listProblems,
  type ProblemKind,
  retryProblem,
} from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { dropNotes } from './problem-kinds.ts'

const CHANGED = [listProblems, getOperatorStatus, listOperatorActions]

export function ProblemDialog({ kind, id, onClose }: { kind: ProblemKind; id: string; onClose: () => void }) {
  const params = { kind, id }
  const problem = useRead(getProblem, { params })
  const retry = useWrite(retryProblem, CHANGED)
  const drop = useWrite(dropProblem, CHANGED)
  const [isDropping, setDropping] = useState(false)
  const { values, bind } = useFields({ reason: '' })
  const toast = useToast()
  const done = (text: string) => ({
    onSuccess: () => {
      toast(text)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={problem.data?.data.what ?? 'Problem'} wide>
      {retry.isError ? <Notice tone="bad">{messageOf(retry.error)}</Notice> : null}
      <Loaded query={problem}>
        {({ data: { detail, ...facts } }) => (
          <CodeBlock text={JSON.stringify({ ...facts, ...detail }, null, 2)} />
        )}
      </Loaded>
      {isDropping ? (
        <Form
          action="Drop"
          write={drop}
          onSubmit={() => drop.mutate({ params, body: values }, done('Dropped'))}
          onCancel={() => setDropping(false)}
        >
          <Field
            label="Reason"
            hint={`${dropNotes[kind]} The workspace sees the reason in its activity log.`}
            minLength={3}
            maxLength={500}
            autoComplete="off"
            {...bind('reason')}
            required
          />
        </Form>
      ) : (
        <div className="form-actions">
          <Button kind="danger" onClick={() => setDropping(true)}>
            Drop…
          </Button>
          <Button
            kind="primary"
            busy={retry.isPending}
            onClick={() => retry.mutate({ params, body: {} }, done('Queued again'))}
          >
            <Icon name="refresh" size={16} />
            Retry now
          </Button>
        </div>
      )}
    </Dialog>
  )
}
