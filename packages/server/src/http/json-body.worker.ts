// Parses large bodies in a thread and returns them in a form that is cheap to transfer.
import { serveRequests } from '../infra/worker-thread/serve-requests.mjs'
import type { ParsedBody } from './json-body.ts'
import { mayHaveLoneSurrogate, noText, pathOfLoneSurrogate, textOf, treeProblem } from './json-tree.policy.ts'

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
  const path = mayHaveLoneSurrogate(body) ? pathOfLoneSurrogate(value) : undefined
  return { answer: path === undefined ? { value } : { pathOfLoneSurrogate: path } }
})
