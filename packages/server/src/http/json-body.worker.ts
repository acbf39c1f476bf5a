// Bodies that are large: a thread reads them, and hands back what is quick to take over.
import { serveRequests } from '../infra/worker-thread/serve-requests.mjs'
import type { ParsedBody } from './json-body.ts'
import { mayHaveHalf, noText, pathOfHalf, textOf, treeProblem } from './json-tree.policy.ts'

serveRequests((bytes: Uint8Array): { answer: ParsedBody } => {
  const body = textOf(bytes)
  if (body === undefined) return { answer: { problem: noText[0], message: noText[1] } }
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
