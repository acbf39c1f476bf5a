import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/client.ts'
import { sendForm } from '../../api/send-form.ts'
import type { Found } from './dropped-files.ts'
import { makeFolder } from './file-actions.ts'
import { foldersKey } from './files.queries.ts'
import { joinPath } from './paths.ts'

interface Upload extends Found {
  state: 'waiting' | 'sending' | 'done' | 'missing'
  sent: number
  problem?: string
}

export interface Uploads {
  done: number
  missing: readonly { path: string; problem: string }[]
  total: number
  open: number
  sentBytes: number
  bytes: number
}

const nothing: Uploads = { done: 0, missing: [], total: 0, open: 0, sentBytes: 0, bytes: 0 }
const atOnce = 3
const shownProblems = 5

const queues = new WeakMap<QueryClient, Map<string, UploadQueue>>()

/** One queue per tab and project; uploads continue while other pages are open. */
export function uploadsOf(client: QueryClient, projectId: string): UploadQueue {
  const known = queues.get(client) ?? new Map<string, UploadQueue>()
  queues.set(client, known)
  const queue = known.get(projectId) ?? createUploadQueue(client, projectId)
  known.set(projectId, queue)
  return queue
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Uploads three files at a time. Failed ones stay in the list for `sendMissing`. */
function createUploadQueue(client: QueryClient, projectId: string) {
  let uploads: Upload[] = []
  let running = 0
  let abort = new AbortController()
  let stopped = ''
  let uploaded = nothing
  let frame = 0
  const listeners = new Set<() => void>()

  const go = () => {
    for (const upload of uploads) {
      if (running >= atOnce) break
      if (upload.state === 'waiting') void run(upload)
    }
    notify()
    if (running === 0) void client.invalidateQueries({ queryKey: foldersKey(projectId) })
  }
  const run = async (upload: Upload) => {
    upload.state = 'sending'
    running++
    try {
      await withRetries(() => send(upload), abort.signal)
      upload.state = 'done'
    } catch (error) {
      upload.state = 'missing'
      upload.problem = (error as Error).name === 'AbortError' ? stopped : (error as Error).message
    }
    running--
    go()
  }
  const send = async (upload: Upload) => {
    const { file, folder } = upload
    if (!file) return makeFolder(projectId, folder)
    const form = new FormData()
    // Fields must precede the file: the server reads them in order.
    form.append('path', folder)
    form.append('file', file, file.name)
    const onProgress = (sent: number) => {
      upload.sent = sent
      notify()
    }
    await sendForm(`/api/files/${projectId}/upload`, { form, onProgress, signal: abort.signal })
  }
  const stay = (event: BeforeUnloadEvent) => event.preventDefault()
  const notify = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      uploaded = summaryOf(uploads)
      if (uploaded.open > 0) addEventListener('beforeunload', stay)
      else removeEventListener('beforeunload', stay)
      for (const listener of listeners) listener()
    })
  }

  return {
    add(found: readonly Found[], target: string): void {
      if (uploads.every(({ state }) => state === 'done')) uploads = []
      uploads.push(
        ...found.map(({ file, folder }): Upload => {
          const to = joinPath(target, folder)
          return { ...(file && { file }), folder: to, state: 'waiting', sent: 0 }
        })
      )
      go()
    },
    sendMissing(): void {
      for (const upload of uploads) if (upload.state === 'missing') Object.assign(upload, { state: 'waiting', sent: 0 })
      go()
    },
    stop(reason: string): void {
      stopped = reason
      for (const upload of uploads)
        if (upload.state === 'waiting') Object.assign(upload, { state: 'missing', problem: reason })
      abort.abort()
      abort = new AbortController()
      notify()
    },
    forget(): void {
      uploads = uploads.filter(({ state }) => state === 'waiting' || state === 'sending')
      notify()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: (): Uploads => uploaded
  }
}

const sizeOf = ({ file }: Upload) => file?.size ?? 0

function summaryOf(uploads: readonly Upload[]): Uploads {
  const missing = uploads.filter(({ state }) => state === 'missing')
  const done = uploads.filter(({ state }) => state === 'done')
  const sum = (count: (upload: Upload) => number) => uploads.reduce((total, upload) => total + count(upload), 0)
  return {
    done: done.length,
    missing: missing.map(({ file, folder, problem = '' }) => ({ path: joinPath(folder, file?.name ?? ''), problem })),
    total: uploads.length,
    open: uploads.length - done.length - missing.length,
    sentBytes: sum((upload) => (upload.state === 'done' ? sizeOf(upload) : Math.min(upload.sent, sizeOf(upload)))),
    bytes: sum(sizeOf)
  }
}

export const firstOf = ({ missing }: Uploads) => missing.slice(0, shownProblems)

/** Retries after a 429 with the server’s Retry-After. */
async function withRetries(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : undefined
      if (seconds === undefined || seconds > 90) throw error
      await pause(seconds * 1_000, signal)
      signal.throwIfAborted()
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', end)
  })
