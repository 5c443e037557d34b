import { getDeclaredVocabulary } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { channelName, sentence } from '../../names/providers.ts'
import { Notice } from '../../ui/notice.tsx'
import { type Touch, touchName } from './touch-names.ts'

/** What the customer said, next to what the model credits; the answer changes no credit. */
export function Declared({
  answer,
  touches,
  timeZone,
}: {
  answer: { answer_key: string; asked_at: string }
  touches: readonly Touch[]
  timeZone: string
}) {
  const vocabulary = useProfileRead(getDeclaredVocabulary)
  const entry = vocabulary.data?.data.entries.find(({ key }) => key === answer.answer_key)
  const credited = touches.filter(({ status }) => status === 'credited')
  const names = [...new Set(credited.map((touch) => `${touchName(touch)} (${channelName(touch.channel)})`))]
  return (
    <Notice>
      Asked how they heard of you, the customer answered “{entry?.label_en ?? sentence(answer.answer_key)}” on{' '}
      {instantText(answer.asked_at, timeZone)}.{' '}
      {names.length === 0 ? 'No touch is credited.' : `Credited: ${names.join(', ')}.`}{' '}
      {comparison(entry?.channels ?? [], credited)}
    </Notice>
  )
}

/** An answer such as a friend or the radio has no channel that a visit could show. */
function comparison(channels: readonly string[], credited: readonly Touch[]): string {
  if (credited.length === 0) return ''
  if (channels.length === 0) return 'No visit can show this answer.'
  const isSame = credited.some(({ channel }) => channels.includes(channel))
  return isSame ? 'Both name the same channel.' : 'They name different channels.'
}
