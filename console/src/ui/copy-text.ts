/** Puts a text where it can be pasted from. A page that did not come by HTTPS has no clipboard of its own. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const before = document.activeElement
  // Inside an open dialog, which keeps the focus to itself.
  const room = before?.closest('[role=dialog]') ?? document.body
  room.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('The browser does not let this page copy')
}
