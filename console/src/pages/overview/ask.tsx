import { useMutation } from '@tanstack/react-query'
import { listUserTokens } from '@whence/sdk'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { today } from '../../format/times.ts'
import { useReport } from '../../report/use-report.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Answer, answerOf } from './ask-answers.ts'
import { examples, readQuestion } from './ask-questions.ts'
import { Sentences } from './brief.tsx'

const SHOWN_EXAMPLES = 4

/** Answers a fixed set of questions, each with one API request that is shown next to the answer. */
export function Ask() {
  const { profile } = useProfileContext()
  const { range, model } = useReport()
  const [typed, setTyped] = useState('')
  const answer = useMutation({
    mutationFn: (text: string): Promise<Answer | null> => {
      const question = readQuestion(text, range, today(profile.timezone))
      return question === null ? Promise.resolve(null) : answerOf(question, { profile, model })
    },
  })
  const submit = (text: string) => {
    setTyped(text)
    if (text.trim() !== '') answer.mutate(text)
  }
  const isUnknown = answer.data === null
  return (
    <Card title="Ask" note="Fixed questions, answered from your reports" foot={<Assistants />}>
      <form
        className="ask"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          submit(typed)
        }}
      >
        <input
          className="input"
          aria-label="Your question"
          placeholder={examples[0]}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" kind="primary" busy={answer.isPending}>
          Ask
        </Button>
      </form>
      <div aria-live="polite">
        {answer.isError ? <Notice tone="bad">{messageOf(answer.error)}</Notice> : null}
        {answer.data ? <AnswerView answer={answer.data} /> : null}
        {isUnknown ? <p className="ask-note">This question is not supported. You can ask:</p> : null}
      </div>
      {answer.data ? null : (
        <div className="ask-examples">
          {examples.slice(0, isUnknown ? examples.length : SHOWN_EXAMPLES).map((text) => (
            <Button key={text} small onClick={() => submit(text)}>
              {text}
            </Button>
          ))}
        </div>
      )}
    </Card>
  )
}

function AnswerView({ answer: { sentences, request, resultHash } }: { answer: Answer }) {
  return (
    <div className="ask-answer">
      <Sentences sentences={sentences} />
      {request === null ? null : (
        <p className="sub">
          <code>{request}</code>
          {resultHash === null ? null : (
            <>
              <br />
              Result <code title={resultHash}>{resultHash.slice(0, 12)}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** Points to an assistant for free questions, and names those that are connected. */
function Assistants() {
  const tokens = useRead(listUserTokens).data?.data ?? []
  const names = tokens
    .filter(({ scopes, expires_at }) => {
      const isLive = expires_at === null || new Date(expires_at) > new Date()
      return isLive && scopes.some((scope) => scope.startsWith('mcp:'))
    })
    .map(({ name }) => name)
  return names.length === 0
    ? 'For questions in your own words, connect an assistant under Settings, Assistants.'
    : `For questions in your own words, use your assistant: ${[...new Set(names)].join(', ')} is connected.`
}
