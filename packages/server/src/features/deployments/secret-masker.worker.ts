// One thread per deployment log: user variables decide how long matching takes, so it must not block the event loop.
import { workerData } from 'node:worker_threads'
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import { buildAutomaton } from './needle-automaton.policy.ts'
import { needlesOf } from './secret-forms.policy.ts'
import { createStreamMasker, maskText } from './secret-masker.policy.ts'
import type { MaskingRequest } from './masking.service.ts'

const { needles, shortened } = needlesOf(workerData)
const automaton = buildAutomaton(needles)
const stream = createStreamMasker(automaton)

serveRequests(({ kind, text }: MaskingRequest) => {
  if (kind === 'describe') return { answer: String(shortened) }
  if (kind === 'output') return { answer: stream.write(text) }
  return { answer: stream.end() + (kind === 'end' ? '' : maskText(automaton, text)) }
})
