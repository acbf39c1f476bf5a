// Plain JavaScript, so that a worker that is needed at once (password.worker.mjs) is loaded by Node itself, also from the sources.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** What waits for an answer of the panel comes before what is done beside it. */
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
