import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { hasStatus } from '../api/client.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { ErrorText } from './settings-link.tsx'
import { ToastAction } from './toast-action.tsx'
import { uiMessages } from './ui.messages.ts'
import { useOnce } from './use-once.ts'

export interface Action<Input, Result> {
  run(input: Input): Promise<Result>
  /** Query keys to invalidate. */
  invalidates: readonly QueryKey[]
  /** Success message; omit if the page shows the result. */
  done?: (result: Result, input: Input) => string
  onDone?: (result: Result, input: Input) => void
}

/**
 * A mutation outside of a form. Ignores clicks while it runs; the error stays visible until it is closed or the action
 * is retried.
 */
export function useAction<Input = void, Result = unknown>({ run, invalidates, done, onDone }: Action<Input, Result>) {
  const t = useMessages(uiMessages)
  const client = useQueryClient()
  const { mutate, isPending } = useOnce<Result, Input>({
    mutationFn: run,
    onSuccess: async (result, input) => {
      if (done) notifications.show({ message: done(result, input), role: 'status' })
      onDone?.(result, input)
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
    onError: (error, input) => {
      const again = () => {
        notifications.hide(id)
        mutate(input)
      }
      // Retrying a 403 or 404 cannot help.
      const isFinal = hasStatus(error, 403) || hasStatus(error, 404)
      const text = createElement(ErrorText, { error })
      const message = isFinal ? text : createElement(ToastAction, { text, action: t('retry'), onAction: again })
      const id = notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
    }
  })
  return { isPending, start: (input: Input) => mutate(input) }
}
