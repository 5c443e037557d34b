/** Availability of the nodes of a distributed database, checked at most once a second. */
import { databaseAnswers } from './answer-timeout.ts'
import type { DataNode } from './nodes.ts'

type NodeStatus = { answers: boolean; at: number; checking: Promise<boolean> | undefined }

const STATUS_TTL_MS = 1000
const statusOf = new WeakMap<DataNode, NodeStatus>()

/** The last known state; rechecks in the background. For callers that must not wait for a hanging node. */
export function nodeAnswered(node: DataNode): boolean {
  void nodeAnswers(node)
  return statusOf.get(node)?.answers ?? true
}

/** Checks immediately, without the cache. */
export function pingNode({ db }: DataNode): Promise<boolean> {
  return databaseAnswers(db).then(
    () => true,
    () => false,
  )
}

export async function nodeAnswers(node: DataNode): Promise<boolean> {
  const status = statusOf.get(node) ?? { answers: true, at: Number.NEGATIVE_INFINITY, checking: undefined }
  statusOf.set(node, status)
  if (performance.now() - status.at < STATUS_TTL_MS) return status.answers
  status.checking ??= pingNode(node).then((answers) => {
    Object.assign(status, { answers, at: performance.now(), checking: undefined })
    return answers
  })
  // Callers do not wait for a node that was unavailable.
  return status.answers ? status.checking : false
}
