/** Whether a node of a distributed database answers: asked once a second at most, however many want to know. */
import { databaseAnswers } from './answer-timeout.ts'
import type { DataNode } from './nodes.ts'

type Known = { answers: boolean; at: number; asking: Promise<boolean> | undefined }

const KNOWN_MS = 1000
const knownOf = new WeakMap<DataNode, Known>()

/** As it was found last; asks again in the background. For figures that must not wait for a node that hangs. */
export function nodeAnswered(node: DataNode): boolean {
  void nodeAnswers(node)
  return knownOf.get(node)?.answers ?? true
}

/** Now, and not as it was lately. */
export function pingNode({ db }: DataNode): Promise<boolean> {
  return databaseAnswers(db).then(
    () => true,
    () => false,
  )
}

export async function nodeAnswers(node: DataNode): Promise<boolean> {
  const known = knownOf.get(node) ?? { answers: true, at: Number.NEGATIVE_INFINITY, asking: undefined }
  knownOf.set(node, known)
  if (performance.now() - known.at < KNOWN_MS) return known.answers
  known.asking ??= pingNode(node).then((answers) => {
    Object.assign(known, { answers, at: performance.now(), asking: undefined })
    return answers
  })
  // No caller waits for a node that is still away.
  return known.answers ? known.asking : false
}
