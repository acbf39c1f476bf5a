import type { CopyEvent, CopyOutcome, CopyTask, MailboxCopier } from '../../src/infra/mailbox-copier/mailbox-copier.ts'

interface CopyUnderWay {
  emit: (event: CopyEvent) => Promise<unknown>
  signal: AbortSignal
}

export interface MemoryMailboxCopier extends MailboxCopier {
  readonly tasks: CopyTask[]
  /** Work of a copy; succeeds by default. */
  work: (task: CopyTask, copy: CopyUnderWay) => Promise<CopyOutcome>
}

export function createMemoryMailboxCopier(): MemoryMailboxCopier {
  const copier: MemoryMailboxCopier = {
    tasks: [],
    work: async () => ({ problem: undefined }),
    async copy(task, { onEvent, signal }) {
      copier.tasks.push(structuredClone(task) as CopyTask)
      const aborted = new Promise<CopyOutcome>((resolve) => {
        if (signal.aborted) resolve({ problem: 'aborted' })
        signal.addEventListener('abort', () => resolve({ problem: 'aborted' }), { once: true })
      })
      return Promise.race([aborted, copier.work(task, { emit: onEvent, signal })])
    }
  }
  return copier
}
