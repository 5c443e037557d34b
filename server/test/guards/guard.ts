/** A guard of the product: code that is removed to prove that the named test fails without it. */
export type Guard = {
  /** A short description of the protection. */
  name: string
  /** Path of the code, from the root of the checkout. */
  file: string
  /** Occurs exactly once in the file. */
  snippet: string
  /** The same place without the guard; it must still run. */
  replacement: string
  test: {
    file: string
    /** The title of the test, or of its block, as in the source. */
    title: string
  }
}

/** Matches the titles generated from a source title: placeholders of a table of cases match anything. */
export function titlePattern(title: string): RegExp {
  const parts = title.split(/%[sdijo]|\$\{[^}]*\}/)
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('.*'))
}

type Read = (path: string) => string | undefined

/** The fault of a change of the code; undefined if it can be made. */
export function changeFault(
  change: Pick<Guard, 'file' | 'snippet' | 'replacement'>,
  read: Read,
): string | undefined {
  const code = read(change.file)
  if (code === undefined) return `${change.file} does not exist`
  const times = code.split(change.snippet).length - 1
  if (times !== 1) return `the snippet is ${times} times in ${change.file}, not once`
  return change.replacement === change.snippet ? 'the replacement is the snippet' : undefined
}

/** The fault of an entry, from the text of its files; undefined if it is valid. */
export function faultOf(guard: Guard, read: Read): string | undefined {
  const fault = changeFault(guard, read)
  if (fault !== undefined) return fault
  const tests = read(guard.test.file)
  if (tests === undefined) return `${guard.test.file} does not exist`
  if (!tests.includes(guard.test.title)) return `${guard.test.file} has no test "${guard.test.title}"`
  if (guard.test.file.includes('.long.test.') || isLongOnly(tests, guard.test.title))
    return `npm test does not run "${guard.test.title}": only the long run does`
  return undefined
}

const isLongOnly = (tests: string, title: string) =>
  new RegExp(`longIt\\(\\s*['"\`]${escaped(title)}`).test(tests)
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
