import type { Transferable } from 'node:worker_threads'
import { createFairQueue, type FairQueueLimits } from './fair-queue.ts'
import { openThread, type Thread, type ThreadOptions } from '../infra/worker-thread/worker-thread.ts'

export interface ThreadPool<Request, Answer> {
  /** Queues fairly between keys; rejects with RATE_LIMITED if the key's queue is full. */
  run(key: string, request: Request, transfer?: readonly Transferable[]): Promise<Answer>
}

export interface ThreadPoolOptions extends ThreadOptions, Pick<FairQueueLimits, 'waitingInAll'> {
  what: string
  threads?: number
  waiting?: number
}

/** Idle threads are kept for a while: starting one takes longer than most jobs. */
const keepIdleMs = 10_000

/** Pool of worker threads, started on demand and closed when idle. A failed thread is replaced. */
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
