import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { hasStatus } from '../api/client.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { ToastAct } from './toast-act.tsx'
import { uiMessages } from './ui.messages.ts'
import { useOnce } from './use-once.ts'

export interface Act<Input, Result> {
  run(input: Input): Promise<Result>
  /** What it makes stale. */
  stale: readonly QueryKey[]
  /** What is said when it is done; left out where the page shows it. */
  done?: (result: Result, input: Input) => string
  onDone?: (result: Result, input: Input) => void
}

/** An act outside of a form: sent once, whoever presses twice; its failure stays until it is closed or the act is tried again. */
export function useAct<Input = void, Result = unknown>({ run, stale, done, onDone }: Act<Input, Result>) {
  const t = useMessages(uiMessages)
  const client = useQueryClient()
  const { mutate, isPending } = useOnce<Result, Input>({
    mutationFn: run,
    onSuccess: async (result, input) => {
      if (done) notifications.show({ message: done(result, input), role: 'status' })
      onDone?.(result, input)
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
    onError: (error, input) => {
      const again = () => {
        notifications.hide(id)
        mutate(input)
      }
      // What is not allowed, or gone, is so the next time too.
      const isFinal = hasStatus(error, 403) || hasStatus(error, 404)
      const message = isFinal
        ? error.message
        : createElement(ToastAct, { text: error.message, act: t('retry'), onAct: again })
      const id = notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
    }
  })
  return { isPending, start: (input: Input) => mutate(input) }
}
