// Fails unless the files of the second test report have the same tests with the same outcomes in the first.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [all, second] = process.argv.slice(2).map(outcomes)
const fileOf = (name) => name.slice(0, name.indexOf(' > '))
const files = new Set([...second.keys()].map(fileOf))
const first = new Map([...all].filter(([name]) => files.has(fileOf(name))))
const names = [...new Set([...first.keys(), ...second.keys()])].sort()
const different = names.filter((name) => first.get(name) !== second.get(name))
for (const name of different) {
  console.error(`${name}: embedded ${first.get(name) ?? 'absent'}, server ${second.get(name) ?? 'absent'}`)
}
if (different.length > 0 || first.size === 0) {
  console.error(`The two engines differ in ${different.length} of ${names.length} tests.`)
  process.exit(1)
}
const passed = [...first.values()].filter((outcome) => outcome === 'passed').length
console.log(`Both engines: the same ${passed} tests passed.`)

/** By file and full name; tests of one name in one file are counted apart. */
function outcomes(path) {
  const found = new Map()
  for (const file of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    for (const { fullName, status } of file.assertionResults) {
      let name = `${relative('.', file.name)} > ${fullName}`
      while (found.has(name)) name += ' (again)'
      found.set(name, status)
    }
  }
  return found
}
