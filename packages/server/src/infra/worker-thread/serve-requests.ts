import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** On Linux that is this thread's alone: what waits for an answer of the panel comes before what is done beside it. */
const niceness = 5

/** The other side of openThread: answers each request, in their order. What it throws ends the thread. */
export function serveRequests<Request, Answer>(
  answer: (request: Request) => { answer: Answer; transfer?: readonly ArrayBuffer[] }
): void {
  setPriority(niceness)
  parentPort!.on('message', (request: Request) => {
    const { answer: message, transfer = [] } = answer(request)
    parentPort!.postMessage(message, [...transfer])
  })
}
