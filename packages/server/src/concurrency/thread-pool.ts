import type { Transferable } from 'node:worker_threads'
import { createFairQueue, type FairQueueLimits } from './fair-queue.ts'
import { openThread, type Thread, type ThreadOptions } from '../infra/worker-thread/worker-thread.ts'

export interface ThreadPool<Request, Answer> {
  /** Work of one key waits for its turn among that of others; rejects with RATE_LIMITED when too much of it does. */
  run(key: string, request: Request, transfer?: readonly Transferable[]): Promise<Answer>
}

export interface ThreadPoolOptions extends ThreadOptions, Pick<FairQueueLimits, 'waitingInAll'> {
  /** Plural, for the message of a refusal: "zone imports". */
  what: string
  /** At once; default 1, since the processors are others' too. */
  threads?: number
  /** Pieces of work of one key that may wait. */
  waiting?: number
}

/** A thread that nobody needs stays for the next one who does: to start one takes longer than most of the work. */
const keepIdleMs = 10_000

/** Threads that are started when there is work, and end when there has been none for a while. One that fails is replaced. */
export function createThreadPool<Request, Answer>(
  script: URL,
  { what, threads = 1, waiting = 32, waitingInAll, ...options }: ThreadPoolOptions
): ThreadPool<Request, Answer> {
  const queue = createFairQueue({ total: threads, perKey: threads, waiting, waitingInAll }, what)
  const idle: { thread: Thread<Request, Answer>; timer: NodeJS.Timeout }[] = []

  const put = (thread: Thread<Request, Answer>) => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1
      )
      void thread.close()
    }, keepIdleMs).unref()
    idle.push({ thread, timer })
  }
  const take = (): Thread<Request, Answer> => {
    const kept = idle.pop()
    if (!kept) return openThread(script, undefined, options)
    clearTimeout(kept.timer)
    return kept.thread
  }
  return {
    run: (key, request, transfer) =>
      queue.run(key, async () => {
        const thread = take()
        try {
          const answer = await thread.ask(request, transfer)
          put(thread)
          return answer
        } catch (error) {
          await thread.close()
          throw error
        }
      })
  }
}
