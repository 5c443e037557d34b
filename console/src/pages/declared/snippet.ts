import type { VocabularyEntry } from '@whence/sdk'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character]!)

/** HTML form for the thank-you page. The tracker reports the answer for the visitor, and for the order if its id is filled in. */
export function snippetFor(entries: readonly VocabularyEntry[]): string {
  const options = entries.map(
    ({ key, label_en }) => `    <option value="${escaped(key)}">${escaped(label_en)}</option>`,
  )
  return [
    '<form data-whence-ignore onsubmit="event.preventDefault();',
    "  whence('declare', this.answer.value, { text: this.more.value, order_id: 'ORDER_ID' });",
    "  this.innerHTML = 'Thank you!'\">",
    '  <label>How did you hear about us? <select name="answer" required>',
    '    <option value="">–</option>',
    ...options,
    '  </select></label>',
    '  <label>More <input name="more" maxlength="200"></label>',
    '  <button>Send</button>',
    '</form>',
  ].join('\n')
}
