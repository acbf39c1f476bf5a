// Plain JavaScript, so that Node loads urgent workers (password.worker.mjs) directly, also when running from source.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** Requests of the panel's main thread take precedence over background work. */
const usualNiceness = 5

/**
 * The other side of openThread: answers each request, in their order. What it throws ends the thread.
 * @template Request, Answer
 * @param {(request: Request) => { answer: Answer, transfer?: readonly ArrayBuffer[] }} answer
 * @param {number} [niceness] on Linux that is this thread's alone
 * @returns {void}
 */
export function serveRequests(answer, niceness = usualNiceness) {
  setPriority(niceness)
  parentPort.on('message', (request) => {
    const { answer: message, transfer = [] } = answer(request)
    parentPort.postMessage(message, [...transfer])
  })
}
