/** Patterns of paths, separated by commas; `*` matches any characters. */
export function isExcludedPath(path: string, patterns: string): boolean {
  return patterns.split(',').some((pattern) => {
    const text = pattern.trim().replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    return !!text && new RegExp(`^${text.replace(/\*/g, '.*')}$`).test(path)
  })
}
