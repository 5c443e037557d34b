/** Copies text to the clipboard. Pages without HTTPS have no clipboard API, so they use a hidden field. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const before = document.activeElement
  // An open dialog traps the focus, so the field must be inside it.
  const container = before?.closest('[role=dialog]') ?? document.body
  container.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('The browser blocked copying')
}
