// Bodies that are large: a thread reads them, and hands back what is quick to take over.
import { serveRequests } from '../infra/worker-thread/serve-requests.mjs'
import type { ParsedBody } from './json-body.ts'
import { mayHaveHalf, pathOfHalf, treeProblem } from './json-tree.policy.ts'

serveRequests((body: string): { answer: ParsedBody } => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { answer: { problem: 'MALFORMED_JSON', message: 'The body is not valid JSON' } }
  }
  const problem = treeProblem(value)
  if (problem !== undefined) return { answer: { problem: 'VALIDATION_ERROR', message: problem } }
  const path = mayHaveHalf(body) ? pathOfHalf(value) : undefined
  return { answer: path === undefined ? { value } : { pathOfHalf: path } }
})
