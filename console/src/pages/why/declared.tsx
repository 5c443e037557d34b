import { getDeclaredVocabulary } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { instantText } from '../../format/times.ts'
import { channelName, sentence } from '../../names/providers.ts'
import { Notice } from '../../ui/notice.tsx'
import { type Touch, touchName } from './touch-names.ts'

/** The customer's answer next to the model's credit. Answers do not change credit. */
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
      When asked how they heard of you, the customer answered “
      {entry?.label_en ?? sentence(answer.answer_key)}” on {instantText(answer.asked_at, timeZone)}.{' '}
      {names.length === 0 ? 'No touch is credited.' : `Credited: ${names.join(', ')}.`}{' '}
      {comparison(entry?.channels ?? [], credited)}
    </Notice>
  )
}

/** Compares the answer's channels with the credited ones. Answers such as a friend or the radio have no channel. */
function comparison(channels: readonly string[], credited: readonly Touch[]): string {
  if (credited.length === 0) return ''
  if (channels.length === 0) return 'This answer has no matching channel.'
  const isSame = credited.some(({ channel }) => channels.includes(channel))
  return isSame ? 'Both are the same channel.' : 'The channels differ.'
}
